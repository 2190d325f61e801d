package tokens

// kind is the class of the code point before the one that is priced.
type kind uint8

const (
	begin kind = iota // nothing before it
	space
	newline // LF, CR
	tab
	control // the rest of C0, and DEL
	digit
	lower
	upper
	quote
	comma
	colon
	dot
	slash
	backslash
	dash
	underscore
	opening
	closing
	operator
	hash
	angle
	exclamation
	mark     // the rest of ASCII
	accented // beyond ASCII, continues a word of ASCII letters
	sign     // beyond ASCII, in everyday use
	rare     // beyond ASCII, or no UTF-8
	kinds    // how many there are
)

// kindCodes holds the kind of every ASCII character, as 'A' plus the kind; see the test that spells it out.
const kindCodes = "" +
	"EEEEEEEEEDCEECEE" + // U+0000
	"EEEEEEEEEEEEEEEE" + // U+0010
	"BVITWWWIQRSSJOLM" + // space ! " # $ % & ' ( ) * + , - . /
	"FFFFFFFFFFKKUSUV" + // 0 to 9 : ; < = > ?
	"WHHHHHHHHHHHHHHH" + // @ A to O
	"HHHHHHHHHHHQNRWP" + // P to Z [ \ ] ^ _
	"WGGGGGGGGGGGGGGG" + // ` a to o
	"GGGGGGGGGGGQWRWE" // p to z { | } ~ DEL

func kindOf(c byte) kind { return kind(kindCodes[c] - 'A') }

func (k kind) letter() bool { return k == lower || k == upper }

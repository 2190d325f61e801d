package tokens

// unit is the number of price units in one token.
const unit = 32

// The price tables below hold one price per character: '0' plus the price in units, so '0' is nothing and 'P' is
// one whole token. No price of a step of one byte exceeds that, because no tokenizer over bytes makes more than one
// token of one byte.

func priced(table string, at int) int { return int(table[at] - '0') }

// follows is what a letter costs inside a word, by the letter before it (row) and itself (column, a to z), without
// regard to case. Pairs that words are made of are nearly free; pairs that occur in no word, as in keys, digests and
// encoded bytes, cost up to a token.
const follows = "" +
	"<000P@0D=P;000P2E2500B;80D" + // a
	"8F8P0PHP=0H08G0FN64P85PP2P" + // b
	"0J370@P01P00PP0N?0800PPP6>" + // c
	"3PP70C4P9P7=2@<AL75?=EJ70@" + // d
	"9600545B8GP700J20000P010EP" + // e
	"2LP:04KP0NP0PP0PP2500JPP0N" + // f
	"AP7<0I77=O8666?EP057<PPP0D" + // g
	"1DPE0P<=0PPG9I0?A9000HOM0K" + // h
	"<>01371PP5C2:000<800P2PBP2" + // i
	"6:P00P@PPN0L:PAPL00I0PPMNB" + // j
	"70P00>00CM0<E5HJFP0;CPEP@D" + // k
	"7H300IG91;P6;@05LPA00HE80P" + // l
	"0=@;0P=J6IC<0O40PP6EE?PHPP" + // m
	"3K00;000;8B:7C45PC00:0PAEG" + // n
	"B300L00KC;=00014O0810704GO" + // o
	"4PE00L?4;PB04P17P050:@P=1P" + // p
	"JPPPPPP>>PP0M=PPPEL00=PMPP" + // q
	"6=000?=?4P1900098400D<AP0<" + // r
	"@P0B0JP=7KCAKD:0CP00BN>P0A" + // s
	";:8E0;I00CG20B32P0;:AP0P0P" + // t
	"20020DIP0P>500A0P000OLP0>P" + // u
	"1APD0P;?0PP2E<0MA1?><LP=PP" + // v
	"0BE00P000PPGP00GP;0PNCPP6P" + // w
	"2L0F6MLP4NPI;B<0LPP09HP00E" + // x
	"8L?P0PEPPPP:@F50P:A8=P@C:K" + // y
	"46PE1P5PPMP?F00:PPBF01<A30" + // z
	"DP0PHPPPJP90009BP0?MLPPP5>" // accented

// starts is what the first letter of a word costs, a to z.
const starts = "3>64@@AD<PB@=>:6P:10<C;PPP"

// positions is what a letter costs on top, by its place in the word from 0; the last price holds for all later ones.
const positions = "00000000888888886"

// changes is what a step to another kind of ASCII character costs, by the kind before it (row) and its own (column),
// both in the order of the kinds. The diagonal is a step within one kind to a different character.
const changes = "" +
	"JHPPPPPNNLPPMPPPPPPPPPPJJJ" + // begin
	"JJ0PLP70887PP=KPJPOPBP5JJJ" + // space
	"JPPCPP0PK;JP48PPP8PPPPPJJJ" + // newline
	"J50JPPCPPPPPPPPPPPPPPPPJJJ" + // tab
	"JPPPPPPPMN@KLPMNLPKPINPJJJ" + // control
	"JPP:PJPOPPOP3PPLPPPPOPPJJJ" + // digit
	"JKP7PP0;B1H0@OP<?>P0KPPJJJ" + // lower
	"J>MEPP<4K9I0PHB:PPPPPEPJJJ" + // upper
	"JN=PKP;0EAIPAPEHE6M:F;PJJJ" + // quote
	"JPPPKPP9AJGPPP>PPPOCCKPJJJ" + // comma
	"JP>PPPLA8<PI;8:D?LOPEPPJJJ" + // colon
	"J0CPJPKE07@J62?ACP8CDPKJJJ" + // dot
	"J7PPL08JL;PPJF87JLJGNOJJJJ" + // slash
	"JPPPLPEP39PP0JMFCGJPAOPJJJ" + // backslash
	"J9PPGP=PCJMIPJJP;P>POLLJJJ" + // dash
	"J;PPG7;P@7FHPC7JBANPPPPJJJ" + // underscore
	"J>6PJPNDA>PFAHPGH;PCNOLJJJ" + // opening
	"J6PPPPPPP7?6?C7IPCCPNBPJJJ" + // closing
	"J:PPPPPP;PPN?>2PIPOEPPPJJJ" + // operator
	"J6PPK0PPMEPGCPPPFP?JPCPJJJ" + // hash
	"JF6PGPE2FLKE?H;P??P7FKPJJJ" + // angle
	"J:6PIPPPP0P7<8=PPGPFP<PJJJ" + // exclamation
	"JPPPPPIPPBP>PJHPNLPPPPPJJJ" + // mark
	"J3PJJP;O0IPP00PPP1OJ>BJJJJ" + // accented
	"J0P7KNPPGL?0<0P0PPPPL:?JJJ" + // sign
	"JPPJJJNPPPPPOIPPKPIJLOCJJJ" // rare

// repeats is what an ASCII character costs that repeats the one before it, and for a letter the one before that
// too: long rules, indents and runs are cheap, but never free.
const repeats = "" +
	"PPPPPPPPP33PPDPP" + // U+0000
	"PPPPPPPPPPPPPPPP" + // U+0010
	"33:1:2D:::12:111" + // space ! " # $ % & ' ( ) * + , - . /
	"PPPPPPPPPP335155" + // 0 to 9 : ; < = > ?
	"55::D:5DD:DD::D:" + // @ A to O
	"DDDDDDDD3:DD:D51" + // P to Z [ \ ] ^ _
	"D5::::5D::D:5:D5" + // ` a to o
	"DD::DD:D5:DD:D2P" // p to z { | } ~ DEL

// A number is read in groups of three digits.
const (
	digitGroup = 32 // the first digit of the second and every later group
	digitMore  = 4  // the second and third digit of a group
)

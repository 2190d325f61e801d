package diag

import "strings"

// render fills a template of the code table. A part in [[...]] is left out when a datum it names is empty; a
// datum that is named outside of brackets and is missing is printed as its name in braces, so that a defect of
// ours is seen and nothing else is lost.
func render(template string, data Data) string {
	var b strings.Builder
	for {
		open := strings.Index(template, "[[")
		if open < 0 {
			fill(&b, template, data)
			return b.String()
		}
		length := strings.Index(template[open:], "]]")
		if length < 0 {
			fill(&b, template, data)
			return b.String()
		}
		fill(&b, template[:open], data)
		if part := template[open+2 : open+length]; complete(part, data) {
			fill(&b, part, data)
		}
		template = template[open+length+2:]
	}
}

// placeholders lists the data that a template names.
func placeholders(template string) []string {
	var names []string
	for {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			return names
		}
		length := strings.IndexByte(template[open:], '}')
		if length < 0 {
			return names
		}
		names = append(names, template[open+1:open+length])
		template = template[open+length+1:]
	}
}

func complete(part string, data Data) bool {
	for _, name := range placeholders(part) {
		if data[name] == "" {
			return false
		}
	}
	return true
}

func fill(b *strings.Builder, text string, data Data) {
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		length := strings.IndexByte(text[open:], '}')
		if length < 0 {
			break
		}
		name := text[open+1 : open+length]
		value, known := data[name]
		if !known {
			value = text[open : open+length+1]
		}
		b.WriteString(text[:open])
		b.WriteString(value)
		text = text[open+length+1:]
	}
	b.WriteString(text)
}

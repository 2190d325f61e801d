package provider

import (
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// AdviceDate is when what providers take was last looked at.
const AdviceDate = "2026-11"

// limits is what a provider was seen to take. Zero and nil mean that no limit is known.
type limits struct {
	name        *regexp.Regexp
	description int // code points
	property    *regexp.Regexp
	// resultObject says that a result schema must be one of an object.
	resultObject bool
}

// The forms are compiled when advice is asked for, not when a program starts.
const (
	shortName     = `^[a-zA-Z0-9_-]{1,64}$`
	letterName    = `^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`
	shortProperty = `^[a-zA-Z0-9_.-]{1,64}$`
	plainProperty = `^[a-zA-Z0-9_]{1,64}$`
)

func limitsOf(format Format) limits {
	switch format {
	case OpenAIChat, OpenAIResponses:
		return limits{name: regexp.MustCompile(shortName), description: 1024}
	case Anthropic:
		return limits{name: regexp.MustCompile(shortName), property: regexp.MustCompile(shortProperty)}
	case Gemini:
		return limits{name: regexp.MustCompile(letterName), property: regexp.MustCompile(plainProperty)}
	case Bedrock, Mistral:
		return limits{name: regexp.MustCompile(shortName)}
	case MCP:
		return limits{resultObject: true}
	default:
		return limits{}
	}
}

// Advice says which of the contracts the provider was seen to refuse, and why. The pointers are into the list of
// contracts: /0/description is of the first one. It is advice: nothing fails by it.
func Advice(format Format, contracts []*definition.Contract) []diag.Problem {
	known := limitsOf(format)
	var all []diag.Problem
	add := func(pointer, tool, what string) {
		all = append(all, diag.New(diag.CodeProviderAdvice, pointer, "provider", string(format), "tool", tool, "what", what, "date", AdviceDate))
	}
	for i, c := range contracts {
		at := "/" + strconv.Itoa(i)
		if known.name != nil && !known.name.MatchString(c.Name) {
			add(at+"/name", c.ID, "its name does not match "+known.name.String())
		}
		if n := utf8.RuneCountInString(c.Description); known.description > 0 && n > known.description {
			add(at+"/description", c.ID, "its description has "+strconv.Itoa(n)+" characters, more than "+strconv.Itoa(known.description))
		}
		for _, name := range rootProperties(c.Schema) {
			if known.property != nil && !known.property.MatchString(name) {
				add(canonical.JoinPointer(at+"/schema/properties", name), c.ID, "the argument "+name+" does not match "+known.property.String())
			}
		}
		if result, ok := c.Result.(map[string]any); known.resultObject && ok && result["type"] != "object" {
			add(at+"/result", c.ID, "its result is not declared as an object, which clients before version 2026-07-28 need")
		}
	}
	return all
}

func rootProperties(schema canonical.Value) []string {
	value, _ := canonical.Lookup(schema, "/properties")
	members, _ := value.(map[string]any)
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

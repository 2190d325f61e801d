package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func completionCommand() *command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &command{
		Command: &cli.Command{Name: "completion", Usage: "print a completion script for a shell: " + strings.Join(shells, ", "), ArgsUsage: "SHELL"},
		formats: []string{"text"}, least: 1, most: 1,
		run: func(_ context.Context, c *call) (answer, error) {
			if !slices.Contains(shells, c.args[0]) {
				return answer{}, usagef("known: "+strings.Join(shells, ", "), "there is no completion for the shell %q", c.args[0])
			}
			words := completionWords(commands())
			return answer{payload: true, text: func(w io.Writer) error { return writeCompletion(w, c.args[0], words) }}, nil
		},
	}
}

// wordList is what may follow the commands typed so far.
type wordList struct {
	path  string // "" or "import mcp"
	words []string
}

// completionWords lists, for every command, its subcommands and flags. The script is made of the table that the
// command line itself is read by, so they cannot differ.
func completionWords(all []*command) []wordList {
	out := []wordList{{words: names(all)}}
	var walk func(path string, c *command)
	walk = func(path string, c *command) {
		list := wordList{path: path, words: names(c.subcommands)}
		if c.run != nil {
			for _, flag := range slices.Concat(c.Flags, globalFlags()) {
				list.words = append(list.words, "--"+flag.Names()[0])
			}
		}
		out = append(out, list)
		for _, sub := range c.subcommands {
			walk(path+" "+sub.Name, sub)
		}
	}
	for _, c := range all {
		walk(c.Name, c)
	}
	return out
}

func names(all []*command) []string {
	out := make([]string, len(all))
	for i, c := range all {
		out[i] = c.Name
	}
	return out
}

func writeCompletion(w io.Writer, shell string, lists []wordList) error {
	p := &printer{w: w}
	switch shell {
	case "bash":
		p.line("# bash completion for seifc; source this file\n_seifc() {\n  local current=\"${COMP_WORDS[COMP_CWORD]}\" path=\"\" word\n  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case \"$word\" in -*) ;; *) path=\"${path:+$path }$word\" ;; esac\n  done\n  local words=\"\"\n  case \"$path\" in")
		for _, list := range lists {
			p.line("    %q) words=%q ;;", list.path, strings.Join(list.words, " "))
		}
		for _, list := range lists[1:] {
			p.line("    %q*) words=%q ;;", list.path+" ", strings.Join(list.words, " "))
		}
		p.line("  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$current\") $(compgen -f -- \"$current\"))\n}\ncomplete -o filenames -F _seifc seifc")
	case "zsh":
		p.line("#compdef seifc\n_seifc() {\n  local -a words_typed\n  words_typed=(${(M)words[2,CURRENT-1]:#[^-]*})\n  case \"${(j: :)words_typed}\" in")
		for _, list := range lists {
			p.line("    %q) compadd -- %s ;;", list.path, strings.Join(list.words, " "))
		}
		for _, list := range lists[1:] {
			p.line("    %q*) compadd -- %s ;;", list.path+" ", strings.Join(list.words, " "))
		}
		p.line("  esac\n  _files\n}\ncompdef _seifc seifc")
	case "fish":
		for _, list := range lists {
			condition := "__fish_use_subcommand"
			if list.path != "" {
				condition = "__fish_seen_subcommand_from " + list.path[strings.LastIndexByte(list.path, ' ')+1:]
			}
			for _, word := range list.words {
				if flag, ok := strings.CutPrefix(word, "--"); ok {
					p.line("complete -c seifc -n '%s' -l %s", condition, flag)
				} else {
					p.line("complete -c seifc -n '%s' -a %s", condition, word)
				}
			}
		}
	default:
		p.line("Register-ArgumentCompleter -Native -CommandName seifc -ScriptBlock {\n  param($current, $ast, $position)\n  $path = (($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { \"$_\" } | Where-Object { $_ -notlike '-*' -and $_ -ne $current }) -join ' ')\n  $table = @{")
		for _, list := range lists {
			p.line("    '%s' = @(%s)", list.path, quoted(list.words))
		}
		p.line("  }\n  while ($path -and -not $table.ContainsKey($path)) { $path = ($path -split ' ' | Select-Object -SkipLast 1) -join ' ' }\n  $table[$path] | Where-Object { $_ -like \"$current*\" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }\n}")
	}
	return p.err
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = fmt.Sprintf("'%s'", word)
	}
	return strings.Join(out, ", ")
}

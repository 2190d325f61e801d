// Command peer does with a folder what our figures are compared with, and nothing else: the floor that the machine
// sets, and the work of a named parser over the same bytes.
//
//	peer nothing DIR   start and end
//	peer sha256 DIR    read every file and hash it
//	peer yaml DIR      read every file and parse those that are YAML with yaml.v3, into its nodes
package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: peer nothing|sha256|yaml DIR")
	}
	work, known := map[string]func(string, []byte) error{
		"nothing": nil,
		"sha256":  hash,
		"yaml":    parse,
	}[args[0]]
	switch {
	case !known:
		return fmt.Errorf("there is no peer %q", args[0])
	case work == nil:
		return nil
	}
	files, total := 0, 0
	err := filepath.WalkDir(args[1], func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		total += len(data)
		return work(path, data)
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("there is nothing in %s", args[1])
	}
	if err == nil {
		fmt.Println(files, total)
	}
	return err
}

func hash(_ string, data []byte) error {
	sum := sha256.Sum256(data)
	_, err := fmt.Fprintf(os.Stderr, "%x\n", sum)
	return err
}

func parse(path string, data []byte) error {
	if !strings.HasSuffix(path, ".yaml") {
		return nil
	}
	var node yaml.Node
	return yaml.Unmarshal(data, &node)
}

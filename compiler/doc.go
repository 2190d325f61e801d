// Package compiler turns a Context Project into a Build.
//
// It works in stages, one file each: load reads files, normalise makes contracts of catalogue entries, link finds
// what names mean, lower writes the definition, check judges it, test runs the Context Tests, seal assembles the
// Build. Each stage reports everything it finds and the next one runs on what the earlier left sound.
//
// It guarantees that its result is a function of the contents of the Project's files alone: not of their order on
// disk, their times, the working directory, the locale, the time zone or the number of processors. It opens no
// socket and writes no file.
package compiler

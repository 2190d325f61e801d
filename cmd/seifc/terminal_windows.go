package main

// The console has a name for each direction.
const (
	terminalIn  = "CONIN$"
	terminalOut = "CONOUT$"
)

package schema

import "strings"

// isDateTime holds date-time of RFC 3339 section 5.6; letters in either case.
func isDateTime(s string) bool {
	return len(s) > 11 && (s[10] == 'T' || s[10] == 't') && isDate(s[:10]) && isTime(s[11:])
}

// isDate holds full-date of RFC 3339 section 5.6, with the days that the month has.
func isDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' || !allDigits(s[:4]) || !allDigits(s[5:7]) || !allDigits(s[8:]) {
		return false
	}
	year, month, day := number(s[:4]), number(s[5:7]), number(s[8:])
	return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// isTime holds full-time of RFC 3339 section 5.6. Second 60 may stand only at 23:59 UTC, where leap seconds are.
func isTime(s string) bool {
	if len(s) < 9 || s[2] != ':' || s[5] != ':' || !allDigits(s[:2]) || !allDigits(s[3:5]) || !allDigits(s[6:8]) {
		return false
	}
	hour, minute, second := number(s[:2]), number(s[3:5]), number(s[6:8])
	if hour > 23 || minute > 59 || second > 60 {
		return false
	}
	rest := s[8:]
	if rest[0] == '.' {
		digits := 1
		for digits < len(rest) && isDigit(rest[digits]) {
			digits++
		}
		if digits == 1 {
			return false
		}
		rest = rest[digits:]
	}
	offset, ok := zoneOffset(rest)
	if !ok {
		return false
	}
	if second == 60 {
		const day = 24 * 60
		return ((hour*60+minute-offset)%day+day)%day == day-1
	}
	return true
}

// zoneOffset reads "Z" or "+hh:mm" as minutes east of UTC.
func zoneOffset(s string) (int, bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' || !allDigits(s[1:3]) || !allDigits(s[4:]) {
		return 0, false
	}
	hours, minutes := number(s[1:3]), number(s[4:])
	if hours > 23 || minutes > 59 {
		return 0, false
	}
	offset := hours*60 + minutes
	if s[0] == '-' {
		offset = -offset
	}
	return offset, true
}

// isDuration holds duration of RFC 3339 appendix A: weeks alone, or date and time units in order without gaps.
func isDuration(s string) bool {
	if len(s) < 3 || s[0] != 'P' {
		return false
	}
	date, time, timed := strings.Cut(s[1:], "T")
	if timed && !unitsInOrder(time, "HMS") {
		return false
	}
	if date == "" {
		return timed
	}
	return unitsInOrder(date, "YMD") || !timed && unitsInOrder(date, "W")
}

// unitsInOrder holds digits and a unit, repeated, where each unit follows the one before it in the list.
func unitsInOrder(s, units string) bool {
	next := -1
	for s != "" {
		digits := 0
		for digits < len(s) && isDigit(s[digits]) {
			digits++
		}
		if digits == 0 || digits == len(s) {
			return false
		}
		i := strings.IndexByte(units, s[digits])
		if i < 0 || next >= 0 && i != next {
			return false
		}
		next = i + 1
		s = s[digits+1:]
	}
	return next > 0
}

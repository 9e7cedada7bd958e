# SPDX-License-Identifier: BSD-2-Clause
# From state.list and the tree's files: for `who`, its struct where only a .c file has it, and take_WHO(), which copies what it has.
# A struct that is not in a .c file is in the header beside it.
BEGIN { FS = "\t" }
function read_struct(file,    line, inside, all) {
	private = file ~ /\.c$/
	while ((getline line < (sys "/" file)) > 0) {
		if (line ~ "^struct[ \t]+" who "[ \t]*\\{")
			inside = found = 1
		if (inside || !private)
			all = all line "\n"
		if (inside && line ~ /^\}/)
			inside = 0
	}
	return all
}
$1 != who { next }
!begun {
	begun = 1
	text = read_struct(file = $2)
	if (!found && sub(/\.c$/, ".h", file))
		text = read_struct(file)
	if (private)
		print text
	else if (found)
		print "#include <" file ">"
	if (!found)
		print "struct " who ";"
	print "static void\ntake_" who "(struct bsd_state *to, const struct " who " *of)\n{"
}
found {
	known = 1
	count = split($4, names, /\./)
	for (i = 1; i <= count; i++) {
		sub(/\[.*/, "", names[i])
		# What a struct of another header has is there if its owner is.
		if (i <= 2 && text !~ "[^a-zA-Z0-9_]" names[i] "[^a-zA-Z0-9_]")
			known = 0
	}
	if (known)
		print "\tto->" $3 " = of->" $4 ";"
}
END { print "}" }

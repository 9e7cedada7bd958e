# SPDX-License-Identifier: BSD-2-Clause
# From state.list and the tree's files: for `who`, its struct where only a .c file has it, and take_WHO(), which copies what it has.
BEGIN { FS = "\t" }
$1 != who { next }
!text {
	private = $2 ~ /\.c$/
	while ((getline line < (sys "/" $2)) > 0) {
		if (line ~ "^struct " who " \\{")
			inside = 1
		if (inside || !private)
			text = text line "\n"
		if (inside && line ~ /^\}/)
			inside = 0
	}
	if (private)
		print text
	print "static void\ntake_" who "(struct bsd_state *to, const struct " who " *of)\n{"
}
{
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

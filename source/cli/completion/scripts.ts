/** What each shell runs: it asks `tapewatch complete` for candidates, one per line, with a description after a tab. */

const bash = `# Completion of tapewatch for bash: source <(tapewatch completion bash)
_tapewatch() {
	local IFS=$' \\t\\n' words=() line=$COMP_LINE word at=0 index rest
	# Bash splits words at = and :, too; what follows without a space belongs together.
	for ((index = 0; index < \${#COMP_WORDS[@]}; index++)); do
		word=\${COMP_WORDS[index]}
		rest=\${line#"\${line%%[![:space:]]*}"}
		if ((index > 0)) && [[ -n $word && "$rest" == "$line" ]] && [[ "$word" == [=:]* || "\${words[\${#words[@]}-1]}" == *[=:] ]]; then
			words[\${#words[@]}-1]+=$word
		elif ((index > 0)) && [[ -z $word && $index -eq $COMP_CWORD && "\${COMP_LINE:COMP_POINT-1:1}" == [=:] ]]; then
			:
		else
			words+=("$word")
		fi
		line=\${rest#"$word"}
		((index == COMP_CWORD)) && at=$((\${#words[@]} - 1))
	done
	local current=\${words[at]-} candidates=() candidate
	words=("\${words[@]//[\\"\\'\\\\]/}")
	while IFS= read -r line; do
		candidates+=("\${line%%$'\\t'*}")
	done < <(command tapewatch complete -- $((at - 1)) "\${words[@]:1}" 2>/dev/null)
	COMPREPLY=()
	if [[ \${candidates[0]-} == :files ]]; then
		compopt -o default 2>/dev/null
		return
	fi
	# Bash replaces only what follows the last separator.
	local breaks=\${COMP_WORDBREAKS//[^=:]/} done=
	[[ -n $breaks && $current == *["$breaks"]* ]] && done=\${current%"\${current##*["$breaks"]}"}
	for candidate in "\${candidates[@]}"; do
		[[ $candidate == *= ]] && compopt -o nospace 2>/dev/null
		COMPREPLY+=("\${candidate:\${#done}}")
	done
}
# In the given order; Bash before 4.4 sorts.
complete -o nosort -F _tapewatch tapewatch 2>/dev/null || complete -F _tapewatch tapewatch
`;

const zsh = `#compdef tapewatch
# Completion of tapewatch for zsh: a file _tapewatch in a folder of $fpath, or source <(tapewatch completion zsh)
_tapewatch() {
	local line value
	local -a typed lines values shown open openShown
	# Of the word at the cursor, without a quote that is still open.
	typed=("\${(@Q)words}")
	typed[CURRENT]=\${(Q)PREFIX}
	lines=("\${(@f)$(command tapewatch complete -- $((CURRENT - 2)) "\${(@)typed[2,-1]}" 2>/dev/null)}")
	if [[ $lines[1] == :files* ]]; then
		value=\${lines[1]#*$'\\t'}
		[[ -n $value ]] && compset -P "$value"
		_files
		return
	fi
	for line in $lines; do
		value=\${line%%$'\\t'*}
		[[ $line == *$'\\t'?* ]] && line="$value  -- \${line#*$'\\t'}"
		if [[ $value == *= ]]; then
			open+=("$value") openShown+=("$line")
		else
			values+=("$value") shown+=("$line")
		fi
	done
	# -V keeps the given order.
	((\${#open})) && compadd -V open -M 'm:{[:lower:]}={[:upper:]}' -S '' -l -d openShown -a open
	((\${#values})) && compadd -V values -M 'm:{[:lower:]}={[:upper:]}' -l -d shown -a values
	return $((\${#values} + \${#open} == 0))
}
if [[ $funcstack[1] == _tapewatch ]]; then
	_tapewatch "$@"
else
	compdef _tapewatch tapewatch
fi
`;

const fish = `# Completion of tapewatch for fish: tapewatch completion fish > ~/.config/fish/completions/tapewatch.fish
function __tapewatch_complete
	# Without quotes, of which one may be still open.
	set -l words (string trim -c '"\\'' -- (commandline -opc))
	set -e words[1]
	set -l current (string trim -l -c '"\\'' -- (commandline -ct))
	set -l lines (command tapewatch complete -- (count $words) $words "$current" 2>/dev/null)
	if string match -q ':files*' -- $lines[1]
		set -l prefix (string split -m1 \\t -- $lines[1])[2]
		for path in (__fish_complete_path (string sub -s (math (string length -- "$prefix") + 1) -- "$current"))
			printf '%s\\n' "$prefix$path"
		end
	else if set -q lines[1]
		printf '%s\\n' $lines
	end
end
complete -c tapewatch -f -k -a '(__tapewatch_complete)'
`;

export const scripts: Readonly<Record<string, string>> = {bash, zsh, fish};

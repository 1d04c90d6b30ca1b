/// Completions for bash, zsh and fish.
///
/// The scripts split the line into words and run `newsd completions SHELL -- WORD…`. It prints the kind of word,
/// then one candidate per line, with its description after a tab.
enum CompletionScript {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  static func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  // COMP_WORDS has the words as typed, with quotes, split at characters such as ":" and "="; readline
  // replaces only the last piece. Titles of feeds often contain quotes and colons, so the script splits the
  // line itself.
  private static let bash = #"""
    # bash completion for newsd

    # Takes the line before the cursor apart as the shell does, without expanding anything. Sets words (those before the
    # one being typed), cur (that one, unquoted), quote (the quote that is open in it), and kept (how many characters of
    # cur stand before what readline will replace).
    _newsd_split() {
      local line=$1 breaks=${COMP_WORDBREAKS//[[:space:]\"\'\\]/} char next word= begun= i
      words=() quote= kept=0
      for ((i = 0; i < ${#line}; i++)); do
        char=${line:i:1}
        if [[ $quote == "'" ]]; then
          if [[ $char == "'" ]]; then quote=; else word+=$char; fi
        elif [[ $char == "\\" ]]; then
          next=${line:i+1:1} begun=1
          if [[ $quote == '"' && $next != [\"\$\`\\] ]]; then
            word+=$char
          else
            word+=$next
            ((i += 1))
          fi
        elif [[ $quote == '"' ]]; then
          if [[ $char == '"' ]]; then quote=; else word+=$char; fi
        elif [[ $char == [\"\'] ]]; then
          quote=$char begun=1 kept=${#word}
        elif [[ $char == [[:space:]] ]]; then
          if [[ -n $begun ]]; then words+=("$word"); fi
          word= begun= kept=0
        else
          word+=$char begun=1
          if [[ $breaks == *"$char"* ]]; then kept=${#word}; fi
        fi
      done
      cur=$word
    }

    _newsd() {
      local words cur quote kept kind prefix word path
      _newsd_split "${COMP_LINE:0:COMP_POINT}"
      COMPREPLY=()
      {
        IFS= read -r kind
        prefix=${kind#* } kind=${kind%% *}
        case $kind in
        files | directories)
          compopt -o filenames 2>/dev/null
          while IFS= read -r path; do
            COMPREPLY+=("$path")
          done < <(compgen "-${kind:0:1}" -- "${cur:${#prefix}}")
          ;;
        words | open)
          if [[ $kind == open ]]; then compopt -o nospace 2>/dev/null; fi
          while IFS=$'\t' read -r word _; do
            if [[ $word != "$cur"* ]]; then continue; fi
            word=${word:kept}
            case $quote in
            \') word=${word//\'/\'\\\'\'} ;;
            \")
              word=${word//\\/\\\\} word=${word//\"/\\\"} word=${word//\`/\\\`} word=${word//\$/\\\$}
              # Only single quotes keep an exclamation mark from naming a line of the history.
              word=${word//!/\"\'!\'\"}
              ;;
            # The program's own words need no quotes, and a comma with a backslash would be ugly.
            *) if [[ $word == *[!a-z0-9_,=:-]* ]]; then printf -v word %q "$word"; fi ;;
            esac
            COMPREPLY+=("$word")
          done
          ;;
        esac
      } < <("${words[0]/#\~\//"$HOME/"}" completions bash -- "${words[@]:1}" "$cur" 2>/dev/null)
    }

    complete -F _newsd newsd

    """#

  private static let zsh = #"""
    #compdef newsd
    # zsh completion for newsd

    _newsd() {
      local command=${(Q)words[1]} kind prefix line tab=$'\t'
      local -a lines texts labels flags
      command=${command/#\~\//$HOME/}
      lines=("${(@f)$("$command" completions zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      kind=${lines[1]%% *} prefix=${lines[1]#* }
      if [[ -n $prefix && $kind == (files|directories) ]]; then compset -P '*='; fi
      case $kind in
      files) _files ;;
      directories) _files -/ ;;
      words | open)
        if [[ $kind == open ]]; then flags=(-S ''); fi
        for line in "${(@)lines[2,-1]}"; do
          texts+=("${line%%$tab*}")
          if [[ $line == *$tab?* ]]; then
            labels+=("${(r:20:)line%%$tab*}  ${line#*$tab}")
          else
            labels+=("${line%%$tab*}")
          fi
        done
        if [[ "${lines[2]}" == *$tab?* ]]; then flags+=(-l); fi
        compadd "${flags[@]}" -d labels -a texts
        ;;
      esac
    }

    # Autoloaded from a folder of fpath, or sourced.
    if [[ ${funcstack[1]} == _newsd ]]; then _newsd "$@"; else compdef _newsd newsd; fi

    """#

  private static let fish = #"""
    # fish completion for newsd

    function __newsd_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        # A word whose quote is still open cannot be unescaped as a whole.
        set -l plain (string unescape -- "$current")
        and set current $plain
        or set current (string trim -l -c "\"'" -- "$current")
        set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
        set -l lines ($program completions fish -- $words[2..-1] "$current" 2>/dev/null)
        set -l head (string split -m 1 ' ' -- $lines[1])
        switch "$head[1]"
            case files directories
                set -l start (string sub -s (math (string length -- "$head[2]") + 1) -- "$current")
                for path in $start*
                    if test -d $path
                        printf '%s%s/\n' "$head[2]" $path
                    else if test "$head[1]" = files
                        printf '%s%s\n' "$head[2]" $path
                    end
                end
            case words open
                printf '%s\n' $lines[2..-1]
        end
    end

    complete -c newsd -f -a '(__newsd_complete)'

    """#
}

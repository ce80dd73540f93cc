/** `cardwire completion`: the words that a shell offers, made from the table of commands. */
import type { CommandEntry } from './command-table.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const createCompletion = (shell: Shell, commands: readonly CommandEntry[]): string =>
  ({ bash: createBash, zsh: createZsh, fish: createFish })[shell](commands)

/** The path of a command as the scripts keep it. */
const place = ({ path }: Pick<CommandEntry, 'path'>) => `cardwire ${path}`.trim()

/** The patterns of a `case`: each command below another, after the command that it is below. */
const below = (commands: readonly CommandEntry[]) =>
  commands.flatMap((command) => command.commands.map(({ name }) => `${place(command)} ${name}`))

const valueOptions = (commands: readonly CommandEntry[]) => [
  ...new Set(
    commands.flatMap(({ options }) =>
      options.filter(({ takesValue }) => takesValue).map(({ long }) => long),
    ),
  ),
]

/** A word for a shell, whatever is in it. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function createBash(commands: readonly CommandEntry[]): string {
  const words = ({ commands, options }: CommandEntry) =>
    [...commands.map(({ name }) => name), ...options.map(({ long }) => long)].join(' ')
  return `# bash completion of cardwire: source <(cardwire completion bash)
_cardwire() {
  local current=\${COMP_WORDS[COMP_CWORD]} place=cardwire offered= word
  case \${COMP_WORDS[COMP_CWORD-1]} in
    ${valueOptions(commands).join('|')}) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in
      ${below(commands).map(quote).join('|')}) place="$place $word" ;;
    esac
  done
  case $place in
${commands.map((command) => `    ${quote(place(command))}) offered=${quote(words(command))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
# Where nothing is offered, the names of files.
complete -o default -F _cardwire cardwire
`
}

function createZsh(commands: readonly CommandEntry[]): string {
  const item = (name: string, description: string) =>
    quote(`${name.replaceAll(':', '\\:')}:${description}`)
  const items = ({ commands, options }: CommandEntry) => [
    ...commands.map(({ name, description }) => item(name, description)),
    ...options.map(({ long, description }) => item(long, description)),
  ]
  return `#compdef cardwire
# zsh completion of cardwire: source <(cardwire completion zsh), after compinit
_cardwire() {
  local place=cardwire word
  local -a offered
  case \${words[CURRENT-1]} in
    (${valueOptions(commands).join('|')}) _files; return ;;
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      (${below(commands).map(quote).join('|')}) place="$place $word" ;;
    esac
  done
  case $place in
${commands.map((command) => `    (${quote(place(command))}) offered=(${items(command).join(' ')}) ;;`).join('\n')}
  esac
  _describe cardwire offered || _files
}
if [[ $funcstack[1] = _cardwire ]]; then _cardwire "$@"; else compdef _cardwire cardwire; fi
`
}

function createFish(commands: readonly CommandEntry[]): string {
  const line = (command: CommandEntry, what: string, description: string) =>
    `complete -c cardwire -n ${quote(`string match -q -- "${place(command)}" (__cardwire_place)`)} ${what} -d ${quote(description)}`
  return `# fish completion of cardwire: cardwire completion fish | source
function __cardwire_place
  set -l place cardwire
  for word in (commandline -opc)[2..]
    switch "$place $word"
      case ${below(commands).map(quote).join(' ')}
        set place "$place $word"
    end
  end
  echo $place
end
complete -c cardwire -f
${commands
  .flatMap((command) => [
    ...command.commands.map(({ name, description }) => line(command, `-a ${name}`, description)),
    ...command.options.map(({ long, takesValue, description }) =>
      line(command, `-l ${long.replace('--', '')}${takesValue ? ' -rF' : ''}`, description),
    ),
  ])
  .join('\n')}
`
}

/** The registry as a service of macOS: a property list of launchd. */

export const launchdLabel = 'cardwire.registry'
/** The account that runs it; names of macOS services begin with an underscore. */
const account = '_cardwire'

/** Lies in /Library/LaunchDaemons; launchd.plist(5). */
export function launchdPlist(program: string, base: string): string {
  const words = [program, 'registry', '--service'].map(
    (word) => `    <string>${xml(word)}</string>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${launchdLabel}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>CARDWIRE_MACHINE_DIR</key>
    <string>${xml(base)}</string>
    <key>HOME</key>
    <string>${xml(base)}</string>
  </dict>
  <key>UserName</key>
  <string>${account}</string>
  <key>GroupName</key>
  <string>${account}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>Umask</key>
  <integer>18</integer>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`
}

const xml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

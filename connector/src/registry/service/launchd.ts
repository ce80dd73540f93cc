/** The registry as a service of macOS: a property list of launchd. */

import { maxDescriptors } from './limits.ts'

export const launchdLabel = 'cardwire.registry'
/** The account that it runs as; macOS names such accounts with an underscore. */
export const launchdAccount = '_cardwire'

/** For a file in /Library/LaunchDaemons; launchd.plist(5). `base`: the folder of the service. */
export function createLaunchdPlist(program: string, base: string): string {
  const args = [program, 'registry', '--service'].map(
    (arg) => `    <string>${escapeXml(arg)}</string>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${launchdLabel}</string>
  <key>ProgramArguments</key>
  <array>
${args.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>CARDWIRE_MACHINE_DIR</key>
    <string>${escapeXml(base)}</string>
    <key>HOME</key>
    <string>${escapeXml(base)}</string>
  </dict>
  <key>UserName</key>
  <string>${launchdAccount}</string>
  <key>GroupName</key>
  <string>${launchdAccount}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>18</integer>
  <key>HardResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>${maxDescriptors}</integer>
  </dict>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>${maxDescriptors}</integer>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

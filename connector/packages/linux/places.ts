/** Where the files of the connector are on a Linux machine. */

const home = 'usr/lib/cardwire'

/** Paths without the first slash: a package is laid out below another folder. */
export const places = {
  home,
  program: `${home}/cardwire`,
  link: 'usr/bin/cardwire',
  registryUnit: 'usr/lib/systemd/system/cardwire-registry.service',
  agentUnit: 'usr/lib/systemd/user/cardwire.service',
  /** For desktops without systemd; the only folder of it that every desktop reads. */
  autostart: 'etc/xdg/autostart/cardwire.desktop',
  menu: 'usr/share/applications/cardwire.desktop',
  /** An icon theme in which every desktop looks; pictures for those that draw none themselves. */
  icons: 'usr/share/icons/hicolor',
  manual: 'usr/share/man/man1/cardwire.1.gz',
  documents: 'usr/share/doc/cardwire',
  bash: 'usr/share/bash-completion/completions/cardwire',
  zsh: 'usr/share/zsh/vendor-completions/_cardwire',
  fish: 'usr/share/fish/vendor_completions.d/cardwire.fish',
} as const

/** The folder of the registry of the machine. */
export const machineFolder = '/var/lib/cardwire'

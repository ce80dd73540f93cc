/** What root does for the package of the service, in folders in which the service's account has put links. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'

const state = '/var/lib/cardwire-ds'
const backup = '/var/backups/cardwire-ds/20260101T000000.000Z'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-links-'))
  mkdirSync(join(folder, 'layers'))
  const postinst = readFileSync(join(root, 'ds/release/files/debian/postinst'))
  writeFileSync(join(folder, 'postinst'), postinst, { mode: 0o755 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The commands of docs/deploy.md behind this text, without those of systemd. */
function readCommands(text: string): string {
  const document = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  const section = document.slice(document.indexOf(text))
  const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
  expect(commands).not.toBe('')
  return commands.replaceAll(/^sudo systemctl.*$/gm, '')
}

/** Root's folder, with a file that only root reads. */
const makeVictim = `
  install -d -m 0755 /var/victim /var/victim/folder
  install -m 0600 /dev/null /var/victim/file
  echo kept >/var/victim/file`

/** Every file in it with owner and mode, and the content of the one. */
const showVictim = `
  cd /var/victim && find . -printf '%p %u %m\\n' | sort && cat file`

const untouched = '. root 755\n./file root 600\n./folder root 755\nkept\n'

/** Runs commands as root, with an /etc, /var and /run that end with them. */
const runAsRoot = (...commands: readonly string[]) =>
  runProgram(['unshare', '--mount', 'sh', '-euc', [prepare, ...commands].join('\n')], {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', TOP: folder },
  })

const prepare = `
  mount -t tmpfs tmpfs "$TOP/layers"
  # A copy, since tests beside this one add accounts: without the locks and drafts of that, which come and go.
  mkdir "$TOP/layers/etc"
  tar --create --warning=no-file-changed --warning=no-file-removed --directory=/etc --exclude='*.lock' --exclude='*+' --exclude='*-' . |
    tar --extract --directory="$TOP/layers/etc"
  mount --bind "$TOP/layers/etc" /etc
  upper=$TOP/layers/var
  mkdir "$upper" "$upper.work"
  mount -t overlay -o "lowerdir=/var,upperdir=$upper,workdir=$upper.work" overlay /var
  mount -t tmpfs tmpfs /run
  rm -rf ${state} /var/backups/cardwire-ds
  install -d /etc/cardwire-ds
  touch /etc/cardwire-ds/settings.env
  as_account() { setpriv --reuid=cardwire-ds --regid=cardwire-ds --init-groups "$@"; }
  sudo() {
    if [ "$1" != -u ]; then "$@"; return; fi
    shift 2
    as_account "$@"
  }
  postinst() {
    "$TOP/postinst" configure "$@" >"$TOP/layers/output" 2>&1 || { cat "$TOP/layers/output" >&2; return 1; }
  }
  ${makeVictim}
  postinst
  as_account mkdir ${backup}`

test('the upgrade of the package changes nothing behind links of the account', async () => {
  proves('root-follows-links')
  const { status, out, err } = await runAsRoot(
    `as_account rm -rf ${state}/packages ${state}/keystores`,
    `as_account ln -s /var/victim ${state}/packages`,
    `as_account ln -s /var/victim/folder ${state}/keystores`,
    'postinst 3.0.0',
    showVictim,
  )
  expect([status, out, err]).toEqual([0, untouched, ''])
})

test('the restore of a backup writes and reads nothing behind links of the account', async () => {
  proves('root-follows-links')
  const { status, out } = await runAsRoot(
    `as_account sh -c 'echo database >${backup}/cardwire.sqlite; echo secret >${backup}/cardwire.sqlite.secret'`,
    `as_account ln -s /var/victim/file ${state}/cardwire.sqlite.secret`,
    `(${readCommands('To restore one')})`,
    `cat ${state}/cardwire.sqlite ${state}/cardwire.sqlite.secret`,
    `stat --format='%U %a' ${state}/cardwire.sqlite.secret`,
    showVictim,
  )
  const restored = 'database\nsecret\ncardwire-ds 644\n'
  expect([status, out]).toEqual([0, `${restored}${untouched}`])
})

test('the restore of a backup gives the account no file that only root reads', async () => {
  proves('root-follows-links')
  const { out } = await runAsRoot(
    `as_account ln -s /var/victim/file ${backup}/cardwire.sqlite`,
    `(${readCommands('To restore one')}) || true`,
    `cat ${state}/cardwire.sqlite || true`,
    showVictim,
  )
  expect(out).toBe(untouched)
})

test('the command of administrators gives the account no terminal of root', async () => {
  proves('root-terminal')
  const command = readFileSync(join(root, 'ds/release/files/bin/cardwire-ds-admin'), 'utf8')
  const { out } = await runAsRoot(
    'chmod 0755 "$TOP" "$TOP/layers"',
    'install -d -m 0755 "$TOP/layers/bin"',
    `cat >"$TOP/layers/bin/cardwire-ds" <<'END'\n${showTerminal}END`,
    `cat >"$TOP/layers/command" <<'END'\n${command.replaceAll('@HOME@', join(folder, 'layers'))}END`,
    'chmod 0755 "$TOP/layers/bin/cardwire-ds" "$TOP/layers/command"',
    `script --quiet --return --command "$TOP/layers/command list" /dev/null || echo "ended with $?"`,
  )
  expect(out.replaceAll('\r', '')).toBe('cardwire-ds: admin list, and no terminal\nended with 3\n')
})

/** A program of the account: which arguments it got, and whether it may open the terminal of its session. */
const showTerminal = `#!/bin/sh
terminal=$({ tty </dev/tty; } 2>/dev/null || echo 'no terminal')
echo "$(id -un): $*, and $terminal"
exit 3
`

test('an installer that is copied to the packages follows no link of the account', async () => {
  proves('root-follows-links')
  const { out } = await runAsRoot(
    `as_account rm -rf ${state}/packages`,
    `as_account ln -s /var/victim ${state}/packages`,
    'cd /tmp && echo bytes >"$TOP/layers/cardwire.deb" && cd "$TOP/layers"',
    `(${readCommands('A file is stored completely or not at all.')}) || true`,
    showVictim,
  )
  expect(out).toBe(untouched)
})

/** A copy of the repository for mutations: a temporary git worktree, so that the user's own tree is never changed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../../bed/repository.ts'
import { openGit } from './git.ts'

export interface Checkout {
  readonly folder: string
  /** Runs `act` while `change` is made to the source of a file. */
  mutate<T>(file: string, change: (source: string) => string, act: () => Promise<T>): Promise<T>
  remove(): void
}

const git = openGit(root)
/** A machine of CI has no name of its own, which even a commit in no branch needs. */
const author = ['-c', 'user.name=Mutations', '-c', 'user.email=mutations@localhost'] as const

/** Has the files of the user's tree as they are now, but for files that git does not know. */
export function createCheckout(): Checkout {
  const parent = mkdtempSync(join(tmpdir(), 'cardwire-mutations-'))
  const folder = join(parent, 'tree')
  const revision = git(...author, 'stash', 'create') || 'HEAD'
  git('worktree', 'add', '--quiet', '--detach', folder, revision)
  linkModules(folder, 'node_modules')
  for (const path of listWorkspaces()) {
    const modules = join(path, 'node_modules')
    if (existsSync(join(root, modules))) linkModules(folder, modules)
  }
  return {
    folder,
    async mutate(file, change, act) {
      const path = join(folder, file)
      const source = readFileSync(path, 'utf8')
      writeFileSync(path, change(source))
      try {
        return await act()
      } finally {
        writeFileSync(path, source)
      }
    },
    remove() {
      git('worktree', 'remove', '--force', folder)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/** The folders of our own packages, from the root. */
function listWorkspaces(): readonly string[] {
  const installed = join(root, 'node_modules/@cardwire')
  return readdirSync(installed).map((name) => relative(root, realpathSync(join(installed, name))))
}

/** Links what is installed. Our own packages have to be those of the copy, and caches are its own. */
function linkModules(folder: string, path: string): void {
  const [from, to] = [join(root, path), join(folder, path)]
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === '.cache' || name.startsWith('.vite')) continue
    if (name !== '@cardwire') symlinkSync(join(from, name), join(to, name))
  }
  if (path !== 'node_modules') return
  mkdirSync(join(to, '@cardwire'))
  for (const name of readdirSync(join(from, '@cardwire'))) {
    const path = relative(root, realpathSync(join(from, '@cardwire', name)))
    symlinkSync(join(folder, path), join(to, '@cardwire', name))
  }
}

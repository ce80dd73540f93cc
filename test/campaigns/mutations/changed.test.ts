/** What `--changed` compares with, in real repositories. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBase } from './changed.ts'
import { type Git, openGit } from './git.ts'

let top: string
let git: Git
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cardwire-changed-'))
  git = createRepository('shop')
})
afterEach(() => rmSync(top, { recursive: true }))

function createRepository(name: string): Git {
  openGit(top)('init', '--quiet', '--initial-branch=main', name)
  const made = openGit(join(top, name))
  made('config', 'user.name', 'Ada')
  made('config', 'user.email', 'ada@shop.example')
  return made
}

/** Commits on the branch that is checked out. Returns their ids. */
const commit = (count: number): readonly string[] =>
  Array.from({ length: count }, () => {
    git('commit', '--quiet', '--allow-empty', '--message=one')
    return git('rev-parse', 'HEAD')
  })

const clone = (...options: readonly string[]): Git => {
  openGit(top)('clone', '--quiet', ...options, `file://${top}/shop`, 'clone')
  return openGit(join(top, 'clone'))
}

test('on a branch, findBase finds where it left main', () => {
  const [left] = commit(1)
  git('switch', '--quiet', '--create', 'topic')
  commit(2)
  expect(findBase(git)).toBe(left)
  expect(findBase(clone('--branch=topic'))).toBe(left)
})

test('on main, findBase goes back ten commits, or to the first one', () => {
  commit(4)
  expect(findBase(git)).toBe('HEAD~3')
  commit(8)
  expect(findBase(git)).toBe('HEAD~10')
  expect(findBase(clone())).toBe('HEAD~10')
})

test('on main with changes that are not committed, findBase gives the last commit', () => {
  writeFileSync(join(top, 'shop/file'), 'before')
  git('add', 'file')
  const [, head] = commit(2)
  writeFileSync(join(top, 'shop/file'), 'after')
  expect(findBase(git)).toBe(head)
})

test('a clone of the last commit only has no base, and neither has a folder without a repository', () => {
  commit(2)
  expect(findBase(clone('--depth=1'))).toBeUndefined()
  expect(findBase(openGit(top))).toBeUndefined()
})

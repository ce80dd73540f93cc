/** Faults of a machine that a program runs on: its disk, its clock, its limits; needs root. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../bed/program.ts'

export interface Disk {
  readonly path: string
  fill(): void
  free(): void
}

/** A disk of its own, as long as `work` takes. */
export async function withDisk<T>(size: string, work: (disk: Disk) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'cardwire-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  const filler = join(path, 'filler')
  const disk: Disk = {
    path,
    fill() {
      const file = openSync(filler, 'w')
      try {
        for (;;) writeSync(file, Buffer.alloc(1024))
      } catch {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
  }
  try {
    return await work(disk)
  } finally {
    spawnSync('umount', ['--lazy', path])
    await rm(path, { recursive: true, force: true })
  }
}

/** Makes a mounted disk read-only, or not any more. Fails while a file on it is open for writing. */
export const remount = (path: string, mode: 'ro' | 'rw') =>
  void execFileSync('mount', ['-o', `remount,${mode}`, path])

/** Lets a running process make no file longer than this, or `unlimited`. */
export const limitFileSize = (pid: number, bytes: number | 'unlimited') =>
  void execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`])

/** The start of a command line whose program has so many descriptors. */
export const withDescriptors = (count: number) => ['prlimit', `--nofile=${count}:${count}`] as const

export interface FakeClock {
  /** For the environment of a program that is to run by it. */
  readonly settings: Settings
  /** `+13y` or `-6y`; `+0` is the time of the machine. */
  set(offset: string): void
}

/** A clock that jumps while a program runs by it, as a clock does that is set: timers go on (faketime(1)). */
export function createFakeClock(folder: string): FakeClock {
  const file = join(folder, 'clock')
  const set = (offset: string) => writeFileSync(file, `${offset}\n`)
  set('+0')
  const library = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], {
    encoding: 'utf8',
  }).trim()
  return {
    set,
    settings: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}

export interface MemoryLimit {
  /** The start of a command line whose program, with what it starts, has the limit. */
  readonly prefix: readonly string[]
  remove(): void
}

/** A control group with so much memory, of either version of control groups (cgroups(7)). */
export function createMemoryLimit(bytes: number): MemoryLimit {
  const isV2 = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const parent = isV2 ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory'
  const folder = join(parent, `cardwire-${crypto.randomUUID()}`)
  mkdirSync(folder)
  writeFileSync(join(folder, isV2 ? 'memory.max' : 'memory.limit_in_bytes'), String(bytes))
  const script = `echo $$ > ${folder}/cgroup.procs && exec "$@"`
  return { prefix: ['sh', '-c', script, 'sh'], remove: () => rmdirSync(folder) }
}

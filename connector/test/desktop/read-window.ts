/** A user who reads a window before answering it. */
import { setTimeout } from 'node:timers/promises'
import { minReadingMs } from '../../src/system/desktop/early-answers.ts'

/** What is pressed earlier counts as typed before the window was read. */
export const readWindow = () => setTimeout(minReadingMs)

/** The sandbox as a program of its own, for tests and from the sources; the binary has it as `cardwire sandbox`. */
import { runSandboxFromEnvironment } from './environment.ts'

void runSandboxFromEnvironment(process.env, new URL('./worker.ts', import.meta.url))

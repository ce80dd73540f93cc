/** A program for Windows: asks the desktop as the connector does, itself its own helper; prints the answer as JSON. */
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { runDesktopHelper } from '../../src/system/desktop/windows-helper-main.ts'
import { readSlowly } from './reading-clock.ts'

async function main([act, ...[first = '', second = '', label = '', url = '']]: readonly string[]) {
  if (act === 'desktop') return runDesktopHelper()
  const desktop = openDesktop({
    platform: process.platform,
    environment: process.env,
    helper: [process.execPath, 'desktop'],
    clock: readSlowly(),
  })
  const { clipboard, notifier, dialog, showNotice, askQuestion, askSecret, openLink } = desktop
  const message = {
    ...{ title: first, text: second, close: 'Close' },
    ...(label && { link: { label, url } }),
  }
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    read: () => clipboard.read(),
    available: async () => (await clipboard.findObstacle()) ?? 'yes',
    notify: () => notifier.show({ title: first, text: second }),
    ask: () => dialog.show(message, 30_000),
    'ask-briefly': () => dialog.show(message, 3000),
    open: () => openLink(first),
    inform: () => {
      const notice = { title: first, text: second, cancel: 'Stop' }
      return showNotice(notice, AbortSignal.timeout(Number(label)))
    },
    decide: () => {
      const question = { title: first, text: second, accept: 'Share', refuse: 'Keep' }
      return askQuestion(question, AbortSignal.timeout(Number(label)))
    },
    choose: () =>
      desktop.chooseFolder(
        { title: first, start: second, language: 'en' },
        AbortSignal.timeout(Number(label)),
      ),
    enter: async () => {
      const question = { title: first, text: second, prompt: 'PIN', submit: 'Sign', cancel: 'No' }
      const answer = await askSecret(question, AbortSignal.timeout(Number(label)))
      return answer.kind === 'entered' ? Buffer.from(answer.secret).toString() : answer.kind
    },
  }
  const begin = performance.now()
  // The event loop lives while a window is open, or this would not be counted.
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), 10)
  const answer = await acts[act ?? '']?.()
  clearInterval(ticking)
  process.stdout.write(`${JSON.stringify({ answer, ms: performance.now() - begin, ticks })}\n`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stdout.write(`${JSON.stringify({ failed: String(error) })}\n`)
  process.exitCode = 1
})

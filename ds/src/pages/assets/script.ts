/** The script of the admin console: only for comfort, every task works without it. Text, because it runs in browsers. */

import { uploadScript } from './upload-script.ts'

export const script = `'use strict'
// Times in the zone of the reader and the language of the page, as the reader's country writes it; the exact one, in UTC, stays as the title.
const { lang } = document.documentElement
const locale = navigator.languages.find((tag) => tag.split('-')[0] === lang) || lang
// A zone can be named only where each part of the time is.
const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }
const day = new Intl.DateTimeFormat(locale, parts)
const hour = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: 'numeric', timeZoneName: 'short' })

// For the page, and for content that is put into it.
function improve(root) {
  for (const time of root.querySelectorAll('time[data-local]')) {
    time.title = time.dateTime
    time.textContent = day.format(new Date(time.dateTime))
  }
  // Below a chart.
  for (const label of root.querySelectorAll('text[data-local-hour]')) {
    label.textContent = hour.format(new Date(label.dataset.localHour))
  }

  for (const button of root.querySelectorAll('button[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const text = document.getElementById(button.dataset.copy).textContent
      const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false)
      button.nextElementSibling.textContent = isCopied ? button.dataset.copied : button.dataset.notCopied
    })
  }

  // Reloading a page with a new key must not make another one.
  for (const link of root.querySelectorAll('[data-reload]')) history.replaceState(null, '', link.href)

  // What takes several requests continues without a click.
  for (const form of root.querySelectorAll('[data-continue] form')) form.submit()

  // Lines that change by themselves, while the page is seen; screen readers hear each change.
  for (const line of root.querySelectorAll('[data-live]')) {
    setInterval(async () => {
      if (document.hidden) return
      const response = await fetch(line.dataset.live, { cache: 'no-store', redirect: 'error' }).catch(() => undefined)
      if (!response || !response.ok) return
      const text = await response.text()
      if (text !== line.textContent) line.textContent = text
    }, 3000)
  }
  offerSeveralFiles(root)
}
${uploadScript}
improve(document)
`

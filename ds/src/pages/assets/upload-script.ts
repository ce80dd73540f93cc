/**
 * The part of the script that sends a form with a file (installers/upload-fields.tsx, which has its texts): with progress, and a button that stops it.
 * The page that answers is put in place of the content, with the chosen file kept where something has to be corrected.
 */

export const uploadScript = `
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!('upload' in form.dataset)) return
  event.preventDefault()
  const find = (selector) => form.querySelector(selector)
  const [file, progress, sent, submit, cancel, status] =
    ['[type=file]', '[data-progress]', '[data-sent]', '[type=submit]', '[data-cancel]', '[role=status]'].map(find)
  const digits = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const megabytes = (bytes) => digits.format(bytes / 1e6)
  if (file.files[0] && file.files[0].size > Number(file.dataset.maxBytes)) {
    status.textContent = form.dataset.tooLarge.replace('{size}', megabytes(file.files[0].size))
    file.focus()
    return
  }
  const request = new XMLHttpRequest()
  const isRunning = (running) => {
    progress.hidden = cancel.hidden = !running
    submit.disabled = running
  }
  const end = (text) => {
    isRunning(false)
    status.textContent = text
  }
  cancel.onclick = () => request.abort()
  request.upload.onprogress = ({ loaded, total }) => {
    progress.querySelector('progress').value = loaded / total
    sent.textContent = sent.dataset.sent.replace('{sent}', megabytes(loaded)).replace('{total}', megabytes(total))
  }
  request.upload.onload = () => { status.textContent = form.dataset.received }
  request.onabort = () => end(form.dataset.canceled)
  request.onerror = () => end(form.dataset.failed)
  request.onload = () => {
    const answer = request.response && request.response.querySelector('main')
    if (request.status < 400 || !answer) return location.assign(request.responseURL)
    const chosen = answer.querySelector('[type=file]')
    document.querySelector('main').replaceWith(answer)
    if (chosen) {
      for (const name of ['aria-invalid', 'aria-describedby']) {
        if (chosen.hasAttribute(name)) file.setAttribute(name, chosen.getAttribute(name))
        else file.removeAttribute(name)
      }
      chosen.replaceWith(file)
    }
    const wrong = answer.querySelector('[aria-invalid=true]')
    if (wrong) wrong.focus()
    else answer.focus()
  }
  request.responseType = 'document'
  request.open('POST', form.action)
  isRunning(true)
  cancel.focus()
  status.textContent = form.dataset.started
  request.send(new FormData(form))
})
`

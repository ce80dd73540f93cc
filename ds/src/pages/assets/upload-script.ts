/**
 * The part of the script that sends a form with a file (upload/upload-fields.tsx): with progress, and a button that stops it.
 * The page that answers is put in place of the content, with the chosen file kept where something has to be corrected.
 */

export const uploadScript = `
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!('upload' in form.dataset)) return
  event.preventDefault()
  const find = (selector) => form.querySelector(selector)
  const [file, progress, submit, cancel, status] =
    ['[type=file]', '[data-progress]', '[type=submit]', '[data-cancel]', '[role=status]'].map(find)
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1)
  if (file.files[0] && file.files[0].size > Number(file.dataset.maxBytes)) {
    status.textContent = 'The file has ' + megabytes(file.files[0].size) + ' MB, which is too large.'
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
    progress.querySelector('[data-sent]').textContent = megabytes(loaded) + ' of ' + megabytes(total) + ' MB'
  }
  request.upload.onload = () => { status.textContent = 'All of it is there. The service stores it.' }
  request.onabort = () => end('Cancelled: nothing was stored.')
  request.onerror = () => end('The connection broke. Nothing was stored: try again.')
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
  status.textContent = 'The upload has begun.'
  request.send(new FormData(form))
})
`

/**
 * The part of the script that sends a form with a file (installers/upload-fields.tsx, which has its texts): with progress, and a button that stops it.
 * The page that answers is put in place of the content, with the chosen file kept where something has to be corrected.
 * Several files are sent one after the other, and each page that answers says the hash of its file.
 */

export const uploadScript = `
for (const input of document.querySelectorAll('[data-several]')) {
  input.multiple = true
  document.getElementById('file-hint').append(' ' + input.dataset.several)
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!('upload' in form.dataset)) return
  event.preventDefault()
  const find = (selector) => form.querySelector(selector)
  const [file, progress, sent, submit, cancel, status] =
    ['[type=file]', '[data-progress]', '[data-sent]', '[type=submit]', '[data-cancel]', '[role=status]'].map(find)
  const digits = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const megabytes = (bytes) => digits.format(bytes / 1e6)
  const refuse = (text, field) => {
    status.textContent = text
    field.focus()
  }
  const files = [...file.files]
  const isOne = files.length < 2
  const tooLarge = files.find(({ size }) => size > Number(file.dataset.maxBytes))
  if (tooLarge) return refuse(form.dataset.tooLarge.replace('{size}', megabytes(tooLarge.size)), file)
  const ofOne = isOne ? undefined : ['name', 'sha256'].map((name) => form.elements[name]).find(({ value }) => value)
  if (ofOne) return refuse(form.dataset.onlyOne, ofOne)
  const results = find('[data-results]')
  if (results) results.replaceChildren()
  const left = [...files]
  const request = new XMLHttpRequest()
  const isRunning = (running) => {
    progress.hidden = cancel.hidden = !running
    submit.disabled = running
  }
  const end = (text) => {
    isRunning(false)
    status.textContent = results && results.children.length > 0 && left.length > 0 ? form.dataset.partly : text
  }
  const addResult = (answer) => {
    const item = document.createElement('li')
    const hash = document.createElement('code')
    hash.textContent = answer.querySelector('#sha256').textContent
    item.append(answer.querySelector('h1').textContent + ': ', hash)
    results.append(item)
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
    if (!isOne && request.status < 400 && answer && answer.querySelector('#sha256')) {
      addResult(answer)
      left.shift()
      if (left.length > 0) return send()
      file.value = ''
      return end(form.dataset.all)
    }
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
  const send = () => {
    const data = new FormData(form)
    if (!isOne) data.set('file', left[0])
    request.open('POST', form.action)
    request.responseType = 'document'
    status.textContent = [form.dataset.started, ...(isOne ? [] : [left[0].name])].join(' ')
    request.send(data)
  }
  isRunning(true)
  cancel.focus()
  send()
})
`

/** The form with the tags of a device. */
import { type Device, getDevice, putDeviceTags } from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, requireRole, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { nameDevice } from './words.ts'

export function addTagForm(pages: PageApp): void {
  pages.get('/devices/:id/tags', requireRole(putDeviceTags), async (context) => {
    const device = await readDevice(context)
    return showForm(context, device, device.tags.join(', '))
  })

  pages.post('/devices/:id/tags', requireRole(putDeviceTags), async (context) => {
    const device = await readDevice(context)
    const typed = (await readForm(context)).text('tags')
    const tags = typed.split(/[\s,]+/).filter((tag) => tag !== '')
    const parts = { params: { id: device.id }, body: { tags } }
    const saved = await attempt(context.var.api.call(putDeviceTags, parts))
    return saved instanceof ApiProblem
      ? showForm(context, device, typed, saved)
      : showDone(context, `devices/${device.id}`, putDeviceTags)
  })
}

async function readDevice({ req, var: { api } }: PageContext): Promise<Device> {
  const { data } = await api.call(getDevice, { params: { id: req.param('id') ?? '' } })
  return data
}

function showForm(context: PageContext, device: Device, typed: string, problem?: ApiProblem) {
  const { ofDevice: texts } = readTexts().groups
  const address = `devices/${device.id}`
  const name = nameDevice(device)
  const wrong = problem?.errors.find(({ path }) => path === 'tags' || path.startsWith('tags['))
  return showPage(context, {
    title: texts.tagsTitle(name),
    trail: [
      { to: 'devices', text: readTexts().devices.title },
      { to: address, text: name },
    ],
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={wrong ? [wrong.path] : []} />
        <PostForm to={`${address}/tags`} button={texts.tagsButton} cancel={address}>
          <Field
            name="tags"
            label={texts.tags}
            hint={texts.tagsHint}
            value={typed}
            error={wrong && explainField(problem, wrong.path)}
          />
          <p class="soft">{texts.tagsAbout}</p>
        </PostForm>
      </>
    ),
  })
}

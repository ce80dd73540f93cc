/** `npm run campaign -- models`: checks the models in full, and prints the path to a state that breaks an invariant. */
import { readOptions, runCampaign } from '../bed/campaign.ts'
import { checkModel } from './check-model.ts'
import { models } from './models.ts'

/** `mistake`: one that is made on purpose, to see its path. */
const { model, mistake } = readOptions('models', {
  model: models.map(({ file }) => file),
  mistake: '',
})

await runCampaign(async () => {
  let holds = true
  for (const { file, sizes } of models.filter((one) => model.includes(one.file))) {
    const { broken, states, trail } = await checkModel(file, {
      ...sizes.whole,
      ...(mistake !== '' && { [mistake]: '' }),
    })
    if (broken !== undefined) console.log(trail)
    const result = broken === undefined ? 'every invariant holds' : `${broken} does not hold`
    console.log(`${file}: ${states.toLocaleString('en')} states, ${result}`)
    holds &&= broken === undefined
  }
  return holds
})

/** How a rollout went so far: its devices and the ratio of its test over time, as charts and as a table. */
import type { Rollout, RolloutHours } from '@cardwire/protocol'
import { formatRatio } from '../charts/balance.tsx'
import { BoundedChart } from '../charts/bounded-chart.tsx'
import { DailyChart } from '../charts/chart.tsx'
import { Empty, formatCount, Table, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { type Course, toCourse } from './course-points.ts'
import { isOffering } from './rollout-data.ts'

interface CourseProps {
  readonly rollout: Pick<Rollout, 'state'>
  readonly course: RolloutHours
}

export const CourseCharts = ({ rollout, course: { hours, halt, accept } }: CourseProps) => {
  const texts = readTexts().rollouts.course
  const course = toCourse(hours)
  return (
    <>
      <h2 id="progress">{texts.title}</h2>
      {course ? (
        <Charts course={course} halt={halt} accept={accept} />
      ) : (
        <Empty>
          <p>{isOffering(rollout) ? texts.notYet : texts.none}</p>
        </Empty>
      )}
    </>
  )
}

const counted = ['offered', 'installed', 'successes', 'failures', 'silent'] as const

const Charts = ({
  course: { by, points },
  halt,
  accept,
}: Pick<RolloutHours, 'halt' | 'accept'> & { readonly course: Course }) => {
  const { course: texts, evidence } = readTexts().rollouts
  const { numbers } = readTexts()
  const labels = points.map(({ at }) => (by === 'hour' ? numbers.hour(at) : numbers.day(at)))
  const times = by === 'hour' ? points.map(({ at }) => at) : undefined
  const series = counted.map((name) => ({
    name: texts.series[name],
    values: points.map((point) => point[name]),
  }))
  const last = series.map(({ name, values }) => `${name} ${formatCount(values.at(-1) ?? 0)}`)
  const [from, to] = [labels[0] ?? '', labels.at(-1) ?? '']
  const ratios = points.map(({ ratio }) => ratio)
  return (
    <>
      <p class="soft">{texts.about[by]}</p>
      <h3>{texts.devices}</h3>
      <DailyChart
        id="devices-over-time"
        title={texts.devices}
        description={texts.description(from, to, last.join(', '))}
        days={labels}
        times={times}
        series={series}
      />
      <h3>{texts.ratio}</h3>
      <BoundedChart
        id="ratio-over-time"
        title={texts.ratio}
        description={texts.ratioDescription(from, to, formatRatio(ratios.at(-1) ?? 0))}
        labels={labels}
        times={times}
        name={texts.ratioName}
        values={ratios}
        low={{ value: accept, label: evidence.test.good }}
        high={{ value: halt, label: evidence.test.bad }}
      />
      <details>
        <summary>{readTexts().use.asTable}</summary>
        <Table
          caption={texts.title}
          head={[
            by === 'hour' ? texts.hour : readTexts().use.day,
            ...series.map(({ name }) => name),
            texts.ratioName,
          ]}
          numbers={[1, 2, 3, 4, 5, 6]}
          rows={points
            .map((point) => [
              by === 'hour' ? <Time at={point.at} /> : numbers.day(point.at),
              ...counted.map((name) => formatCount(point[name])),
              formatRatio(point.ratio),
            ])
            .toReversed()}
        />
      </details>
    </>
  )
}

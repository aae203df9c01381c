import { type HistogramName, type LabelsOf, METRICS, type Metric, type ValueName } from './catalogue.ts'
import type { Histogram } from './histogram.ts'

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string>>

/** Prometheus' text format, one family after another. */
export class Exposition {
  text = ''

  /** One sample of a metric without labels. */
  value(name: ValueName, value: number): void {
    this.text += headOf(name, METRICS[name])
    this.#sample(name, {}, value)
  }

  values<Name extends ValueName>(name: Name, samples: Iterable<readonly [LabelsOf<Name>, number]>): void {
    this.text += headOf(name, METRICS[name])
    for (const [labels, value] of samples) this.#sample(name, labels, value)
  }

  histograms<Name extends HistogramName>(
    name: Name,
    samples: Iterable<readonly [LabelsOf<Name>, Histogram]>,
  ): void {
    this.text += headOf(name, METRICS[name])
    for (const [labels, { bounds, counts, sum }] of samples) {
      let total = 0
      for (const [place, count] of counts.entries()) {
        total += count
        this.#sample(`${name}_bucket`, { ...labels, le: String(bounds[place] ?? '+Inf') }, total)
      }
      this.#sample(`${name}_sum`, labels, sum)
      this.#sample(`${name}_count`, labels, total)
    }
  }

  #sample(name: string, labels: Labels, value: number): void {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    this.text += `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  }
}

/** The lines that introduce a metric. */
export const headOf = (name: string, { help, type }: Metric): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

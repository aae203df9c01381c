import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { Observe } from '../events.ts'

/** OTLP over HTTP, whose failures are reported as events: once for each outage, and how many spans each batch lost. */
export class ReportingExporter extends OTLPTraceExporter {
  readonly #report: Observe
  #isFailing = false

  constructor(url: string, report: Observe) {
    super({ url })
    this.#report = report
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, result => {
      this.#note(result, spans.length)
      done(result)
    })
  }

  #note({ code, error: cause }: ExportResult, count: number): void {
    const failed = code === ExportResultCode.FAILED
    if (failed) this.#report({ kind: 'spans-dropped', count })
    if (failed && !this.#isFailing)
      this.#report({ kind: 'background-task-failed', task: 'sending traces', cause })
    this.#isFailing = failed
  }
}

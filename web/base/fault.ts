import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import { t } from './words.ts'

/** One reason of a refusal, with what is in the way. */
export type Because = { code: string; detail: string; ids?: string[]; [more: string]: unknown }
/** Whether the caller can do something, and if not, why not. */
export type Flag = { allowed: boolean; because: Because[] }

/** Returns the reasons in the context of a refusal. */
export const reasonsIn = (context: Record<string, unknown>): { code: string; detail: string }[] =>
  itemsIn(context.because).map(one => ({ code: textIn(fieldsIn(one).code), detail: textIn(fieldsIn(one).detail) }))

/** A refusal of the service, in its own words, or the fact that it could not be reached. */
export class Fault extends Error {
  readonly status: number
  readonly code: string
  readonly context: Record<string, unknown>
  readonly request_id: string | null
  /** Seconds to wait before another try, if the service gave them. */
  readonly retry_after: number | null
  constructor(status: number, said: Record<string, unknown>, request_id: string | null, retry_after: number | null = null) {
    super(typeof said.detail === 'string' ? said.detail : t('fault.broken'))
    this.name = 'Fault'
    this.status = status
    this.code = typeof said.code === 'string' ? said.code : 'internal_error'
    this.context = said
    this.request_id = request_id
    this.retry_after = retry_after
  }
  /** Whether the service could not be reached at all: then the outcome of the call is unknown. */
  get unreached(): boolean {
    return this.status === 0
  }
  /** Returns what is wrong with each field, by its path. */
  get fields(): Map<string, string> {
    const fields = itemsIn(this.context.fields).map(fieldsIn)
    return new Map(fields.map(({ path, message }) => [textIn(path), textIn(message)]))
  }
}

/** Returns the fault of a response in an unknown form, or of a lost connection. */
export const unreached = (): Fault => new Fault(0, { code: 'unreached', detail: t('fault.unreached') }, null)

/** Returns the fault that a form shows while its call waits for a busy service, and is repeated without the person. */
export const serviceBusy = (): Fault => new Fault(503, { code: 'unavailable', detail: t('live.busy') }, null, 1)

/** Returns whatever was thrown as a fault. */
export const asFault = (error: unknown): Fault =>
  error instanceof Fault ? error : error instanceof TypeError ? unreached() : new Fault(500, { detail: t('fault.broken') }, null)

import { t } from './words.ts'

/** One reason of a refusal, with what blocks. */
export type Because = { code: string; detail: string; ids?: string[]; [more: string]: unknown }
/** Whether one may, and if not, why not. */
export type Flag = { allowed: boolean; because: Because[] }

/** A refusal of the service, in its own words; or that it could not be reached. */
export class Fault extends Error {
  readonly status: number
  readonly code: string
  readonly context: Record<string, unknown>
  readonly request_id: string | null
  constructor(status: number, said: Record<string, unknown>, request_id: string | null) {
    super(typeof said.detail === 'string' ? said.detail : t('fault.broken'))
    this.name = 'Fault'
    this.status = status
    this.code = typeof said.code === 'string' ? said.code : 'internal_error'
    this.context = said
    this.request_id = request_id
  }
  /** Whether the service was not reached at all: nothing is known of what became of the call. */
  get unreached(): boolean {
    return this.status === 0
  }
  /** What is wrong with each field, by its path. */
  get fields(): Map<string, string> {
    const fields = Array.isArray(this.context.fields) ? (this.context.fields as { path: string; message: string }[]) : [] // by the envelope
    return new Map(fields.map(({ path, message }) => [path, message]))
  }
}

/** The fault of an answer that is none of ours, or of a line that is cut. */
export const unreached = (): Fault => new Fault(0, { code: 'unreached', detail: t('fault.offline_bare') }, null)

/** Whatever was thrown, as a fault. */
export const asFault = (error: unknown): Fault =>
  error instanceof Fault ? error : error instanceof TypeError ? unreached() : new Fault(500, { detail: t('fault.broken') }, null)

/** A mistake of the person at the terminal (code 2), or a failure (code 1). */
export class CommandError extends Error {
  readonly code: number
  constructor(message: string, code = 2) {
    super(message)
    this.name = 'CommandError'
    this.code = code
  }
}

// What a form knows about its fields from the contract.

/** What the service checks about a field, as attributes of its control. */
export type Limit = { required?: boolean; minLength?: number; maxLength?: number; min?: number; max?: number }

type Limits = Readonly<Record<string, Limit>>

/** Returns the limits of a field; one that the body doesn't have has none. */
export function shapeOf(body: Limits, field: string): Limit & { optional: boolean } {
  const limit = body[field] ?? {}
  return { ...limit, optional: limit.required !== true }
}

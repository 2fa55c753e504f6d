import { id, integer, list, name, number, optional, orNull, text } from '../../../base/schema.ts'
import { placedComputed, placedFields } from '../../../kernel/placed/schema.ts'

/** The fields of a worker or gang, by the name of their column. */
export const fields = {
  name: name('Name of the person or gang', { example: 'Steel fixers A' }),
  trade: text('Trade', { min: 1, max: 100, example: 'Steel fixer' }),
  headcount: integer('Number of people; default 1', { min: 1, max: 200, example: 6 }),
  supervisor_name: orNull(text('Supervisor; only its own contractor and coordinators see the name', { max: 200, example: 'Ann Ivers' })),
  activity: orNull(text('What they do', { max: 500, example: 'Fixing the slab of level 2' })),
  radius_m: orNull(
    number('Radius of the place around the point, metres; default as in the geometry defaults. Not used with a polygon', {
      min: 0.5,
      max: 100,
      example: 2,
    }),
  ),
  ...placedFields({ open_ended: false }),
}

/** The computed fields of a worker or gang. */
export const computed = {
  ...placedComputed,
  planned_labour_hours: number('People × hours from start to end', { min: 0, example: 60 }),
  double_booked: optional(
    list(id('Worker or gang'), 'The same gang (contractor and name) at another place at the same time, after it was created or changed', {
      max: 100,
    }),
  ),
}

// Forms whose points have heights of their own, tilted and seen from above. Pure.
import { at } from '../../../../../shared/narrow.ts'
import { type Affine, type Form, IDENTITY, planOf, type Space } from './dxf-shapes.ts'

/** The forms that are drawn. */
export type Simple = Exclude<Form, { kind: 'group' | 'insert' }>

/**
 * Returns a form as it is seen from above, and what is still to be done to it. Curves in space become curves of the same kind: their control points and axes
 * move like points.
 */
export function onPlan(form: Simple, space: Space): { form: Simple; placed: Affine } {
  const [a, b, , d, e, , g, h, , x0, y0] = space
  const turned = (x: number, y: number, z: number): [number, number] => [a * x + d * y + g * z, b * x + e * y + h * z]
  const place = (x: number, y: number, z: number): [number, number] => {
    const [x1, y1] = turned(x, y, z)
    return [x1 + x0, y1 + y0]
  }
  if (form.kind === 'path' && form.heights !== undefined) {
    const points = form.heights.flatMap((z, i) => [...place(at(form.points, i * 3), at(form.points, i * 3 + 1), z), 0])
    return { form: { kind: 'path', points, closed: form.closed }, placed: IDENTITY }
  }
  if (form.kind === 'spline' && form.heights !== undefined) {
    const { heights, ...flat } = form
    const points = Array.from({ length: form.points.length / 2 }, (_, i) =>
      place(at(form.points, i * 2), at(form.points, i * 2 + 1), heights[i] ?? 0),
    ).flat()
    return { form: { ...flat, points }, placed: IDENTITY }
  }
  if (form.kind === 'ellipse') {
    const [x, y] = place(form.x, form.y, form.z ?? 0)
    const [[mx, my], [nx, ny]] = [turned(form.mx, form.my, form.mz ?? 0), turned(form.nx, form.ny, form.nz ?? 0)]
    return { form: { kind: 'ellipse', x, y, mx, my, nx, ny, from: form.from, turn: form.turn }, placed: IDENTITY }
  }
  const plan = planOf(space)
  // A point that is raised moves by its height.
  if (form.kind === 'text' && form.z !== undefined) {
    const [dx, dy] = [g * form.z, h * form.z]
    return { form, placed: [plan[0], plan[1], plan[2], plan[3], plan[4] + dx, plan[5] + dy] }
  }
  return { form, placed: plan }
}

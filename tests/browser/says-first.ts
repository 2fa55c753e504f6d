import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'

/** What is shown before a step, as `advice` of a permit has it. */
export type Advice = { warnings: readonly { detail: string }[]; statement: string }

/** Checks that every warning of a step and its declaration are visible above the button that signs, before anybody has pressed it. */
export async function saysFirst(place: Locator, { warnings, statement }: Advice, button: string): Promise<void> {
  assert.ok(warnings.length > 0, `${button} has a warning to show`)
  const sign = (await place.getByRole('button', { name: button }).boundingBox()) ?? assert.fail(`no button: ${button}`)
  for (const text of [...warnings.map(one => one.detail), statement]) {
    await place.getByText(text).waitFor()
    const box = (await place.getByText(text).boundingBox()) ?? assert.fail(text)
    assert.ok(box.y + box.height <= sign.y, `above the button: ${text}`)
  }
}

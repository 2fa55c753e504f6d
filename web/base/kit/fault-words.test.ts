import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { faultAt, faultSaid, fieldName, inWords, labelled } from './fault-words.ts'

describe('faults in the words of the form', () => {
  test('§9 a fault names each field by the label that it has on the page, the form on top first', () => {
    const leave = [labelled('min_zoom', 'Smallest zoom'), labelled('max_zoom', 'Largest zoom')]
    assert.equal(faultSaid('min_zoom', 'is higher than max_zoom.'), '“Smallest zoom” is higher than “Largest zoom”.')
    const above = labelled('max_zoom', 'Closest zoom')
    assert.equal(inWords('is higher than max_zoom.'), 'is higher than “Closest zoom”.')
    above()
    assert.equal(inWords('is higher than max_zoom.'), 'is higher than “Largest zoom”.')
    for (const one of leave) one()
  })

  test('§9 a field inside another one is named by the label of the field next to it', () => {
    const leave = [labelled('layers.zone.min_zoom', 'Minimum zoom'), labelled('layers.zone.max_zoom', 'Maximum zoom')]
    assert.equal(faultSaid('layers.zone.min_zoom', 'can’t be above max_zoom.'), '“Minimum zoom” can’t be above “Maximum zoom”.')
    assert.equal(faultSaid('layers.area.min_zoom', 'can’t be above max_zoom.'), '“layers area min zoom” can’t be above max zoom.')
    for (const one of leave) one()
  })

  test('§9 a field that isn’t on the page is named in plain words, without the ending that says how the API has it', () => {
    assert.equal(inWords('must be later than start_at.'), 'must be later than start.')
    assert.equal(fieldName('styles[2].size_px'), 'styles 3 size')
    assert.equal(faultSaid('levels[0].name', 'is required.'), '“levels 1 name” is required.')
  })

  test('§9 sentences stay as they are, and so does what a person wrote', () => {
    assert.equal(faultSaid('control_points', 'The picture is stretched.'), 'The picture is stretched.')
    assert.equal(inWords('“site_plan” in /push/old_config and site_plan.pdf'), '“site_plan” in /push/old_config and site_plan.pdf')
  })

  test('a fault is shown at its field, even if it is inside the field, and not at a field whose name only starts in the same way', () => {
    const faults = new Map([
      ['aliases.1', 'Too long'],
      ['name_of_site', 'Unknown'],
    ])
    assert.equal(faultAt(faults, 'aliases'), 'Too long')
    assert.equal(faultAt(faults, 'name'), undefined)
    assert.equal(faultAt(faults, 'name_of_site'), 'Unknown')
    assert.equal(faultAt(new Map([['audience[10]', 'x']]), 'audience[1]'), undefined)
  })

  test('765 a form names each field once: what the service finds wrong comes by that name', () => {
    for (const file of globSync('web/**/*.tsx'))
      assert.doesNotMatch(readFileSync(file, 'utf8'), /fault=\{[^}\n]*'([\w.]+)'[^}\n]*\}\s*at="\1"/, file)
  })
})

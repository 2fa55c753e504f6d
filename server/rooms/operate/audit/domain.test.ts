import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sentence } from './domain.ts'

describe('the feed of the audit log', () => {
  test('each step of a permit has its own past tense, alone and for several permits', () => {
    const said = (cause: string, permits = 1) =>
      sentence({ actor: 'Cora Nash', action: 'transition', cause, counts: { permit: permits }, label: permits === 1 ? 'PTW-000112' : null })
    assert.equal(said('permit.close_out_bulk', 2), 'Cora Nash closed out 2 permits')
    assert.equal(said('permit.close_out'), 'Cora Nash closed out PTW-000112')
    assert.equal(said('permit.issue'), 'Cora Nash issued PTW-000112')
    assert.equal(said('permit.approve'), 'Cora Nash approved PTW-000112')
    assert.equal(said('permit.expire'), 'Cora Nash expired PTW-000112')
  })

  test('what happened to a vehicle is recorded: nobody “no-showed” or “turn awayed” it', () => {
    const said = (cause: string) =>
      sentence({ actor: 'Walkdown', action: 'transition', cause, counts: { delivery: 1 }, label: 'DEL-000003 Muck away' })
    assert.equal(said('delivery.no_show'), 'Walkdown recorded a no-show for DEL-000003 Muck away')
    assert.equal(said('delivery.turn_away'), 'Walkdown turned away DEL-000003 Muck away')
    assert.equal(said('delivery.arrive'), 'Walkdown recorded the arrival of DEL-000003 Muck away')
    assert.equal(said('delivery.book'), 'Walkdown booked DEL-000003 Muck away')
  })
})

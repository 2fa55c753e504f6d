// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, needs, ok, roomCases, seen, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    'label_style.show': seen,
    'label_style.set': writes(needs('site_configure'), async t => {
      const shown = await ok(hse(t).get(`/sites/${t.site_id}/label-styles/`))
      const [first, ...rest] = shown.styles as { size_px: number }[] // as the endpoint's schema says
      return { by: hse(t), body: { styles: [{ ...first, size_px: first?.size_px === 17 ? 18 : 17 }, ...rest] } }
    }),
  },
})

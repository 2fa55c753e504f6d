// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { mail, roomCases, signedIn, writes } from '../../../../tests/calls.ts'
import { PASSPHRASE, personWithAccount } from '../../../../tests/provider.ts'

export const cases = roomCases({
  routes: {
    'user.show_me': { ...signedIn, siteless: true },
    'user.device_key': writes(
      {
        ...signedIn,
        siteless: true,
        strangers: true,
        no_trace: 'the key of a person’s devices belongs to the person; its secret is in the log',
      },
      async t => {
        // The first key of an installation makes a secret of its own, too.
        await t.as('hse').post('/auth/device-key')
        return { by: await t.stranger() }
      },
    ),
    'account.change_password': writes({ ...signedIn, siteless: true, strangers: true }, async t => {
      const email = mail(t)
      const { account_id } = await personWithAccount(t.house, 'Olive Owner', email)
      const by = await t.house.person('Olive Owner', { subject: account_id, email })
      const current_password = PASSPHRASE
      return {
        by,
        body: { current_password, new_password: 'kelp barn tax window' },
        other: { current_password, new_password: 'moss lamp ten kettle' },
      }
    }),
  },
})

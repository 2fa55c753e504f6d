import { jobActor } from '../base/actor.ts'
import { writing } from '../base/ctx.ts'
import { changeUser, usersWithEmail } from '../kernel/identity/door.ts'
import { type Command, CommandError, inHouse, words } from './command.ts'

export const superadminCommand: Command = {
  name: 'superadmin',
  usage: 'superadmin grant|revoke EMAIL',
  says: 'Makes somebody who has signed in before a superadmin, or takes it back.',
  details: 'Those named in SUPERADMIN_SUBJECTS or SUPERADMIN_EMAILS are superadmins by configuration, and lose it there.',
  async run(args, env) {
    const [verb, email] = words(args)
    if ((verb !== 'grant' && verb !== 'revoke') || email === undefined) throw new CommandError('walkdown superadmin grant|revoke EMAIL')
    return inHouse(env, async house => {
      const users = (await usersWithEmail(house.database.db, email)).filter(user => user.email_verified)
      const [user, ...others] = users
      if (user === undefined) throw new CommandError(`Nobody with the verified address ${email} has signed in yet.`, 1)
      if (others.length > 0)
        throw new CommandError(`${users.length} accounts have the address ${email}: name one by SUPERADMIN_SUBJECTS.`, 1)
      await writing(house, { actor: jobActor('walkdown superadmin'), cause: `superadmin.${verb}` }, async ctx => {
        await changeUser(ctx.db, user.id, { is_superadmin: verb === 'grant', superadmin_granted: verb === 'grant' })
      })
      console.log(`${user.name} is ${verb === 'grant' ? 'now' : 'no longer'} a superadmin.`)
      return 0
    })
  },
}

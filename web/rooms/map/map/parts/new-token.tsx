import type { ComponentProps } from 'react'
import { runsFrom, shiftFor } from '../../../../base/hours.ts'
import { useCalendar, useShifts } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { TokenForm } from './token-form.tsx'

type Given = Omit<ComponentProps<typeof TokenForm>, 'token' | 'shift' | 'shown'> & { shown: number }

/** Adds a worker, a gang or a machine for the shift that is running at the time that the map shows, or for the next one (decision 1026). */
export function NewToken(given: Given) {
  const { site_id, shown } = given
  const { contractor_id } = useHere()
  const calendar = useCalendar(site_id)
  const { failureCount } = useShifts(site_id)
  // The times of an open form don't change by themselves. Without a connection, a device that doesn't know the shifts opens it without them.
  if (calendar === null && failureCount === 0) return null
  return <TokenForm {...given} token={null} shift={calendar === null ? null : shiftFor(runsFrom(calendar, contractor_id, shown), shown)} />
}

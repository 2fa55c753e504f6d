import { csvOf } from '../../../../shared/csv.ts'
import { answer, get, textAnswer } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { showCurrent, showForecast, showHistory, showTimeline } from './actions/reads.ts'
import { MEASURES } from './domain/hours.ts'
import { Current, Forecast, ForecastQuery, History, HistoryQuery, Timeline, TimelineQuery } from './schema.ts'

const root = '/weather/sites/:site_id'
const access = { needs: 'site_view' }
const columns = Object.keys(MEASURES)

export const routes = [
  get(`${root}/current`, {
    name: 'weather.show_current',
    summary: 'Show the weather now',
    says: 'Returns the running quarter of an hour at a site, and the state of each of its limits. If the weather service doesn’t respond, it is the newest answer of the last 24 hours, with its age.',
    access,
    reply: ref(Current),
    refuses: ['conflict', 'unavailable'],
    handle: ({ ctx, site_id }) => showCurrent(ctx, site_id),
  }),
  get(`${root}/forecast`, {
    name: 'weather.show_forecast',
    summary: 'Show the forecast',
    says: 'Returns the hours ahead, by time, and the site days with their working hours in stop. With `issued`, the forecast as it was at 06:00 of a site day.',
    access,
    query: ForecastQuery,
    reply: ref(Forecast),
    refuses: ['conflict', 'unavailable'],
    handle: ({ ctx, site_id, query }) => showForecast(ctx, site_id, query),
  }),
  get(`${root}/history`, {
    name: 'weather.show_history',
    summary: 'Show the past weather',
    says: 'Returns the past of a site by hour, day or month, by time. A past hour is what the model said when it was over; an hour that was never recorded comes from the archive, or is missing.',
    access,
    query: HistoryQuery,
    reply: ref(History),
    produces: 'text/csv',
    refuses: ['conflict', 'unavailable'],
    handle: async ({ ctx, site_id, query }) => {
      const shown = await showHistory(ctx, site_id, query)
      if (query.format !== 'csv') return answer(shown)
      const rows: readonly Readonly<Record<string, unknown>>[] =
        shown.group === 'hour' ? shown.hours : shown.group === 'day' ? shown.days : shown.months
      const names = shown.group === 'hour' ? ['at', 'work_date', ...columns, 'source'] : Object.keys(rows[0] ?? {})
      const cell = (value: unknown) =>
        typeof value === 'number' || typeof value === 'boolean' ? value : value == null ? null : String(value)
      const lines = rows.map(row => names.map(name => cell(row[name])))
      return textAnswer('text/csv; charset=utf-8', csvOf([...names, shown.attribution], lines), {
        'content-disposition': 'attachment; filename="weather.csv"',
      })
    },
  }),
  get(`${root}/timeline`, {
    name: 'weather.show_timeline',
    summary: 'Show past and future weather together',
    says: 'Returns the past and future hours of a period in one row of time, each with its source and the limits that it reaches, the site days, and the declared weather stops.',
    access,
    query: TimelineQuery,
    reply: ref(Timeline),
    refuses: ['conflict', 'unavailable'],
    handle: ({ ctx, site_id, query }) => showTimeline(ctx, site_id, query),
  }),
]

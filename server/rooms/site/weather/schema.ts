import {
  flag,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  record,
  ref,
  shape,
  text,
  workDate,
} from '../../../base/schema.ts'
import { STATES } from './domain/limits.ts'

const value = (description: string, example: number) => orNull(number(`${description}; null if the provider has none`, { example }))

const measures = {
  temperature_c: value('Temperature at 2 m at the start of the hour, °C', 8.4),
  feels_like_c: value('Temperature as it feels, °C', 6.1),
  humidity_percent: value('Relative humidity at 2 m, %', 78),
  dew_point_c: value('Dew point at 2 m, °C', 4.8),
  precipitation_mm: value('Precipitation of the hour, mm', 0.4),
  precipitation_probability_percent: value('Probability of precipitation in the hour, %; forecasts only', 40),
  snowfall_cm: value('Snowfall of the hour, cm', 0),
  snow_depth_m: value('Snow on the ground, metres', 0),
  wind_m_s: value('Mean wind at 10 m, m/s', 6.2),
  wind_gust_m_s: value('Strongest gust of the hour at 10 m, m/s', 11.3),
  wind_direction_deg: value('Direction that the wind comes from, degrees clockwise from north', 230),
  visibility_m: value('Visibility, metres', 20000),
  cloud_percent: value('Cloud cover, %', 60),
  weather_code: value('Weather code (WMO 4677)', 61),
}
const hour = {
  at: instant('Start of the hour'),
  work_date: workDate('Site day'),
  daylight: orNull(flag('Whether the sun is above the horizon for the whole hour; null without a location')),
  working: flag('Whether the hour overlaps working time of the site'),
  ...measures,
  source: oneOf(
    ['forecast', 'recorded', 'reanalysis'],
    'Where the values come from: the newest forecast, what the model said when the hour was over (`recorded`), or the archive (`reanalysis`)',
  ),
  issued_at: orNull(instant('Time of the forecast; null for an hour without values')),
  fetched_at: orNull(instant('Time at which it was fetched; null for an hour without values')),
}
const found = {
  key: text('Limit', { max: 40, example: 'tower_crane' }),
  label: text('Label', { max: 80, example: 'Tower crane' }),
  state: oneOf(STATES, 'State'),
  value: number('Value that is compared, in the unit of the metric', { example: 17.8 }),
  at_height_m: orNull(number('Height of the wind, metres; null for other metrics', { min: 0, example: 60 })),
}
const Reached = shape(
  'WeatherLimitReached',
  'A limit that an hour reaches. Limits are planning aids: the manual of the machine and its anemometer decide',
  { ...found, on_map: orNull(flag('Whether a machine that it is about is on the map then; null for a limit that isn’t about machines')) },
)
const Hour = shape('WeatherHour', 'An hour of weather at a site', {
  ...hour,
  limits: list(ref(Reached), 'Limits of which the hour is in caution or stop', { max: 50 }),
})
const age = {
  stale: flag('Whether the newest answer is older than a quarter of an hour'),
  age_minutes: integer('Age of the newest answer, minutes', { min: 0, example: 4 }),
  attribution: text('Source of the data; show it wherever the data are shown', {
    max: 200,
    example: 'Weather data by Open-Meteo.com (CC BY 4.0)',
  }),
  example: flag('Whether these are example data, which are not the weather of the site'),
  measured: flag('Always false: values of a model for a cell of its grid, not of a gauge or an anemometer on the site'),
}

export const Current = shape('CurrentWeather', 'The weather at a site now', {
  ...hour,
  limits: list(
    object({ ...found, applies_to: list(id('Machine'), 'Machines on the site that the limit is about', { max: 1000 }) }),
    'Every limit of the site that has a value now. Limits are planning aids: the manual of the machine and its anemometer decide',
    { max: 50 },
  ),
  ...age,
})

const byLimit = (description: string) => record(integer('Number', { min: 0, example: 3 }), description)
const day = {
  work_date: workDate('Site day'),
  min_c: value('Lowest temperature, °C', 3),
  max_c: value('Highest temperature, °C', 11),
  rain_mm: number('Precipitation, mm', { min: 0, example: 2.4 }),
  max_gust_m_s: value('Strongest gust at 10 m, m/s', 14.2),
}
export const ForecastQuery = object({
  hours: optional(integer('Number of hours; default 72', { min: 1, max: 384, example: 72 })),
  issued: optional(workDate('Site day: returns the forecast as it was at 06:00 of that day')),
})
export const Forecast = shape('WeatherForecast', 'A forecast for a site', {
  issued_at: instant('Time of the forecast'),
  ...age,
  hours: list(ref(Hour), 'Hours', { max: 384 }),
  days: list(
    object({
      ...day,
      sunrise_at: orNull(instant('Sunrise; null if there is none')),
      sunset_at: orNull(instant('Sunset; null if there is none')),
      working_hours_in_stop: byLimit('Working hours in stop, by limit'),
    }),
    'Site days',
    { max: 20 },
  ),
})

export const HistoryQuery = object({
  from: instant('Start'),
  to: instant('End (exclusive), at most 366 days after the start'),
  group: optional(oneOf(['hour', 'day', 'month'], 'What a row is; default `hour`')),
  source: optional(
    oneOf(
      ['recorded', 'reanalysis'],
      'Default `recorded`, with the archive where nothing was recorded; `reanalysis` returns only the archive',
    ),
  ),
  format: optional(oneOf(['json', 'csv'], 'Form of the response; default `json`')),
})
const missing = integer('Hours without values; they are not counted as zero', { min: 0, example: 0 })
export const History = shape('WeatherHistory', 'The past weather at a site', {
  group: oneOf(['hour', 'day', 'month'], 'What a row is'),
  hours: optional(list(ref(Hour), 'Hours', { max: 9000 })),
  days: optional(
    list(
      object({
        ...day,
        max_wind_m_s: value('Strongest mean wind at 10 m, m/s', 9.1),
        snow_lying: flag('Whether snow was lying at 09:00 UTC'),
        hours_missing: missing,
      }),
      'Days',
      { max: 400 },
    ),
  ),
  months: optional(
    list(
      object({
        month: text('Month', { max: 7, example: '2026-03' }),
        rain_mm: number('Cumulative rainfall, mm', { min: 0, example: 48.2 }),
        days_over_5_mm: integer('Days with more than 5 mm of rain', { min: 0 }),
        days_below_0_c: integer('Days with a lowest temperature under 0 °C', { min: 0 }),
        days_snow_lying: integer('Days with snow lying at 09:00 UTC', { min: 0 }),
        hours_missing: missing,
      }),
      'Months, with the four measures that NEC contracts compare with ten-year data',
      { max: 14 },
    ),
  ),
  hours_missing: missing,
  attribution: age.attribution,
  example: age.example,
  measured: age.measured,
})

export const TimelineQuery = object({
  from: optional(instant('Start; default the start of the site day')),
  to: optional(
    instant(
      'End (exclusive), at most 31 days after the start and 16 days ahead; default the end of the second site day after that of the start',
    ),
  ),
})
const Stop = object({
  alert_id: id('Alert that declared the stop'),
  title: text('Title', { max: 120, example: 'Gusts: crane off' }),
  from: instant('Start'),
  to: orNull(instant('End; null while it is active')),
  activities: list(text('Activity', { max: 40, example: 'lifting' }), 'Activities that it stopped', { max: 20 }),
})
const GustLimit = shape(
  'WeatherGustLimit',
  'The machine limit that the wind reaches first: of machines on the map in the period, or of all kinds if none is',
  {
    key: text('Limit', { max: 40, example: 'tower_crane' }),
    label: text('Label', { max: 80, example: 'Tower crane' }),
    gust_m_s: number('Gust at 10 m at which its value is a stop, m/s', { min: 0, example: 11.3 }),
    at_height_m: number('Height that the limit is about, metres', { min: 0, example: 60 }),
  },
)
export const Timeline = shape('WeatherTimeline', 'Past and future weather at a site in one row of time', {
  from: instant('Start'),
  to: instant('End (exclusive)'),
  hours: list(
    object({ ...Hour.properties, stops: list(id('Alert'), 'Declared weather stops during the hour', { max: 100 }) }),
    'Hours; one without values has nulls',
    {
      max: 800,
    },
  ),
  days: list(
    object({
      work_date: workDate('Site day'),
      working_minutes: number('Working time, minutes', { min: 0, example: 540 }),
      minutes_in_stop: byLimit('Minutes of working hours in stop, by limit'),
      rain_in_working_hours_mm: number('Precipitation in working hours, mm', { min: 0, example: 1.2 }),
      shifts: list(
        object({
          name: text('Name', { max: 200, example: 'Day' }),
          start_time: text('Start, site time', { max: 5 }),
          end_time: text('End, site time', { max: 5 }),
        }),
        'Shifts of the site on this day',
        { max: 50 },
      ),
    }),
    'Site days',
    { max: 40 },
  ),
  stops: list(Stop, 'Declared weather stops, by start', { max: 1000 }),
  gust_limit: orNull(ref(GustLimit)),
  ...age,
})

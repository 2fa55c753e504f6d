/** Texts of the weather under the time slider. */
export const skyTexts = {
  'sky.title': 'Weather',
  'sky.example': 'Example weather, not that of this site',
  'sky.gusts': 'Gusts up to {n} m/s',
  'sky.no_rain': 'no rain',
  'sky.rain': '{n} mm of rain',
  'sky.no_location': 'This site has no location yet. As soon as its boundary is drawn, the weather appears here.',
  'sky.day': 'Working time on this day',
  'sky.no_data': 'No weather is known for this day',
  'sky.stop': '{limit}: stop from {from} to {to}',
  'sky.caution': '{limit}: caution from {from} to {to}',
  'sky.declared': 'Work was stopped: {title}',
  'sky.line': 'Line: gusts at 10 m. Dashed: the gust at which {limit} is in stop, {n} m/s at 10 m. Bars: rain.',
  'sky.line_only': 'Line: gusts at 10 m. Bars: rain.',
  'sky.shades': 'Light: no working time. Dark: night. Hatched: work was stopped.',
  'sky.model': 'These are values of a model, not measured on site. The machine’s manual and its anemometer decide.',
  'sky.age': 'The forecast is {age} old.',
} as const

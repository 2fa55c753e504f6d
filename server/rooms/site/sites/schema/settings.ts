import { SWITCHABLE_GROUPS } from '../../../../../shared/groups.ts'
import { flag, integer, list, object, oneOf, optional, orNull, record, type Static, text, wallTime } from '../../../../base/schema.ts'

/** Settings of a site, as they are shown. */
export const SiteSettings = object(
  {
    diary: optional(
      object({
        period: optional(oneOf(['day', 'week'], 'Period that one diary covers')),
        week_ends_on: optional(integer('ISO weekday on which a diary week ends', { min: 1, max: 7 })),
        issue_time: optional(wallTime('Time at which a diary is issued, site time')),
        hidden_sections: optional(list(text('Section', { max: 60 }), 'Sections that are left out of a diary', { max: 50 })),
      }),
    ),
    groups: optional(
      object(
        {
          off: list(oneOf(SWITCHABLE_GROUPS, 'Group of rooms'), 'Groups whose pages are left out; a group that isn’t listed is shown', {
            max: SWITCHABLE_GROUPS.length,
            unique: true,
          }),
        },
        'Groups of pages that the app’s navigation leaves out. Nothing is deleted, and every endpoint works as before',
      ),
    ),
    documents_may_leave: optional(flag('Whether files can be sent to an external reading service')),
    date_order: optional(
      orNull(
        oneOf(
          ['dmy', 'mdy', 'ymd'],
          'Order of day, month and year in imported text dates; null if none is set; permit registers then use dmy',
        ),
      ),
    ),
    import_headers: optional(
      record(
        record(
          list(text('Header', { max: 200, example: 'Permit Ref' }), 'Additional header names of one field', { max: 50 }),
          'Additional header names, by field',
        ),
        'Additional header names of spreadsheets, by import format',
      ),
    ),
  },
  'Settings of the site; a setting that isn’t set has its default',
)

const OFF = list(
  oneOf(SWITCHABLE_GROUPS, 'Group of rooms'),
  'Groups whose pages are left out; required, because a group that isn’t listed is shown',
  { max: SWITCHABLE_GROUPS.length, unique: true },
)

/** Changes to the settings of a site, by RFC 7396: what is left out stays as it is, and null clears. */
export const SettingsChange = object(
  {
    diary: optional(
      orNull(
        object(
          {
            period: optional(orNull(oneOf(['day', 'week'], 'Period that one diary covers; null for the default'))),
            week_ends_on: optional(orNull(integer('ISO weekday on which a diary week ends; null for the default', { min: 1, max: 7 }))),
            issue_time: optional(orNull(wallTime('Time at which a diary is issued, site time; null for the default'))),
            hidden_sections: optional(
              orNull(list(text('Section', { max: 60 }), 'Sections that are left out of a diary; null for none', { max: 50 })),
            ),
          },
          'Settings of the diary that change; null clears all of them',
        ),
      ),
    ),
    groups: optional(
      orNull(object({ off: OFF }, 'Groups of pages that the app’s navigation leaves out; null for none. Every endpoint works as before')),
    ),
    documents_may_leave: optional(
      orNull(flag('Whether files can be sent to an external reading service; null for the default, which is false')),
    ),
    date_order: optional(orNull(oneOf(['dmy', 'mdy', 'ymd'], 'Order of day, month and year in imported text dates; null if none is set'))),
    import_headers: optional(
      orNull(
        record(
          orNull(
            record(
              orNull(
                list(text('Header', { max: 200, example: 'Permit Ref' }), 'Additional header names of one field; null for none', {
                  max: 50,
                }),
              ),
              'Additional header names that change, by field; null clears those of the format',
            ),
          ),
          'Additional header names of spreadsheets that change, by import format; null clears all of them',
        ),
      ),
    ),
  },
  'Settings that change. A setting that is left out stays as it is; null clears a setting, so that it has its default. Lists are replaced as a whole',
)

export type SiteSettings = Static<typeof SiteSettings>

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Collector, openCollector, type Received } from '../../tests/collector.ts'
import { freePort } from '../../tests/port.ts'
import { openServed } from '../../tests/served.ts'
import { openTestHouse, type TestHouse } from '../../tests/world.ts'
import { tracesFindings } from '../commands/doctor.ts'
import { allJobs, allSchedules, plugJobs, runJob, runSchedules } from '../kernel/jobs/door.ts'
import { insertRun } from '../kernel/jobs/queries/runs.ts'
import { jobActor } from './actor.ts'
import { writing } from './ctx.ts'
import { makeLog } from './log.ts'
import { readSettings, SettingsError } from './settings.ts'
import { recordSpans, withoutValues } from './spans.ts'

const until = async (done: () => boolean) => {
  for (let tries = 0; tries < 500 && !done(); tries++) await wait(20)
  assert.ok(done(), 'nothing was received')
}

const tracesOf = (env: Record<string, string>) => readSettings(env).traces

describe('traces', () => {
  let collector: Collector
  let house: TestHouse & { close(): Promise<void> }
  let url = ''

  before(async () => {
    collector = await openCollector()
    house = await openTestHouse({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=north%20yard',
      OTEL_SERVICE_NAME: 'permits',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      LOG_LEVEL: 'silent',
    })
    // Over a socket: a body that is received in pieces continues where the connection began.
    url = await house.edge.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(async () => {
    await house.close()
    collector.close()
  })

  const found = async (wanted: (span: Received) => boolean): Promise<Received> => {
    await until(() => collector.spans.some(wanted))
    const span = collector.spans.find(wanted)
    assert.ok(span)
    return span
  }
  const partsOf = ({ span_id, trace_id }: Received) =>
    collector.spans.filter(span => span.parent_id === span_id && span.trace_id === trace_id)

  test('a request is a span named by method and route, with status, operation, site and request id, and its transaction and statements are parts of it', async () => {
    const w = await house.world()
    const name = 'Hush Scaffolding Ltd'
    const answer = await fetch(`${url}/api/contractors/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${w.as('coordinator').token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ site_id: w.site_id, name }),
    })
    assert.equal(answer.status, 201, await answer.text())
    const asked = { headers: { authorization: `Bearer ${w.as('viewer').token}` } }
    const listed = await fetch(`${url}/api/contractors/?site_id=${w.site_id}&q=hush-query`, asked)
    await found(one => one.attributes['walkdown.request_id'] === listed.headers.get('x-request-id'))
    const id = String(answer.headers.get('x-request-id'))
    const span = await found(one => one.attributes['walkdown.request_id'] === id)
    assert.equal(span.name, 'POST /api/contractors/')
    assert.equal(span.kind, 2)
    assert.equal(span.parent_id, '')
    assert.equal(span.error, false)
    assert.equal(span.attributes['http.response.status_code'], answer.status)
    assert.equal(span.attributes['walkdown.operation'], 'contractor.create')
    assert.equal(span.attributes['walkdown.site_id'], w.site_id)
    const transaction = partsOf(span).find(part => part.name === 'transaction')
    assert.ok(transaction, 'a transaction')
    const inserts = partsOf(transaction).filter(part => part.name === 'insert')
    assert.ok(
      inserts.some(part => /insert into "contractor"/.test(String(part.attributes['db.query.text']))),
      'its statements',
    )
    assert.ok(
      partsOf(span).some(part => part.name === 'select'),
      'the statement that finds the caller',
    )
    assert.ok(!collector.bytes.includes('Hush') && !collector.bytes.includes('hush-query'), 'no value and no query string')
    assert.ok(!collector.bytes.includes(String(w.as('coordinator').token)), 'no token')
    assert.deepEqual(
      [collector.resource['service.name'], collector.resource['deployment.environment.name'], collector.headers[0]?.['x-tenant']],
      ['permits', 'test', 'north yard'],
    )
  })

  test('a request continues the trace in its traceparent, and an unreadable one is ignored', async () => {
    const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
    const ask = async (traceparent: string) => {
      const answer = await fetch(`${url}/api/health/live`, { headers: { traceparent } })
      return found(one => one.attributes['walkdown.request_id'] === answer.headers.get('x-request-id'))
    }
    const span = await ask(`00-${trace_id}-00f067aa0ba902b7-01`)
    assert.deepEqual([span.trace_id, span.parent_id, span.name], [trace_id, '00f067aa0ba902b7', 'GET /api/health/live'])
    for (const unreadable of ['nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${trace_id}-00f067aa0ba902b7-01`]) {
      const own = await ask(unreadable)
      assert.equal(own.parent_id, '')
      assert.notEqual(own.trace_id, trace_id)
    }
    await fetch(`${url}/api/health/live`, { headers: { traceparent: `00-${trace_id}-00f067aa0ba902b8-00` } })
    await ask(`00-${trace_id}-00f067aa0ba902b9-01`)
    assert.ok(!collector.spans.some(one => one.parent_id === '00f067aa0ba902b8'), 'a trace that its caller doesn’t record')
  })

  test('a job and a scheduled run are traces of their own; one that failed says so without its message', async () => {
    const jobs = allJobs()
    const schedules = allSchedules()
    const kinds = [
      { kind: 'trace_well', says: '', run: async () => undefined },
      { kind: 'trace_badly', says: '', run: () => Promise.reject(new TypeError('hush-message')) },
    ]
    plugJobs([...jobs, ...kinds], [...schedules, { kind: 'trace_due', says: '', every_minutes: 1, run: async () => undefined }])
    try {
      const work = { actor: jobActor('test'), cause: 'test' }
      for (const [n, { kind }] of kinds.entries()) {
        const id = `0198c0de-0000-7000-8000-00000000000${n}`
        await writing(house.house, work, ctx =>
          insertRun(ctx.db, {
            site_id: '00000000-0000-0000-0000-000000000000',
            id,
            kind,
            max_attempts: 1,
            queued_at: ctx.now,
            run_after: ctx.now,
            input: {},
            requested_by: null,
            request_id: null,
            message: null,
          }),
        )
        await runJob(house.house, id).catch(() => {})
      }
      await runSchedules(house.house, 'trace_due')
    } finally {
      plugJobs(jobs, schedules)
    }
    const well = await found(span => span.name === 'job trace_well')
    assert.deepEqual([well.error, well.parent_id, well.attributes['walkdown.attempt']], [false, '', 1])
    assert.ok(
      partsOf(well).some(part => part.name === 'update'),
      'its statements',
    )
    const badly = await found(span => span.name === 'job trace_badly')
    assert.deepEqual([badly.error, badly.attributes['error.type']], [true, 'internal_error'])
    assert.equal((await found(span => span.name === 'schedule trace_due')).error, false)
    assert.ok(!collector.bytes.includes('hush-message'))
  })

  test('an unreachable collector is logged once, delays nothing, and is used again when it responds', async () => {
    const traces = tracesOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '5',
      // A collector that responds is given up after this long, too: a busy machine needs more than a moment to reach it.
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    })
    assert.ok(traces)
    let text = ''
    const log = makeLog('info', { write: line => (text += line) })
    const tracing = recordSpans(traces, '1.0.0', log)
    collector.status = 503
    try {
      let after = 0
      for (let n = 0; n < 300 && after < 10; n++) {
        assert.equal(await tracing.root('away', {}, async () => n), n)
        await wait(100)
        if (text !== '') after++
      }
      assert.equal(text.match(/traces can’t be sent/g)?.length, 1, text)
    } finally {
      collector.status = 200
    }
    await tracing.root('back', {}, async () => {})
    await tracing.close()
    assert.ok(
      collector.spans.some(span => span.name === 'back'),
      'what waits is sent at the end',
    )
    assert.equal(text.match(/traces are sent again/g)?.length, 1, text)
    const nowhere = recordSpans({ ...traces, url: `http://127.0.0.1:${await freePort()}/v1/traces` }, '1.0.0', log)
    await nowhere.root('lost', {}, async () => {})
    await nowhere.close()
    // It would be tried again for a quarter of a minute.
    const patient = recordSpans({ ...traces, timeout_ms: 600_000, url: `http://127.0.0.1:${await freePort()}/v1/traces` }, '1.0.0', log)
    await patient.root('lost', {}, async () => {})
    assert.equal(await Promise.race([patient.close(), wait(6000, 'late')]), undefined)
    assert.match(text, /didn’t accept the last traces/)
  })

  test('the text of a statement is sent without the values that are written in it', () => {
    assert.equal(
      withoutValues(`select  'O''Neill', E'a\\'b', $tag$ secret $tag$, 42, t1.x from "t2"\n where id = $1 and n > 1.5`),
      'select ?, ?, ?, ?, t1.x from "t2" where id = $1 and n > ?',
    )
  })

  test('nothing is recorded unless a collector is set, and OTEL_SDK_DISABLED and OTEL_TRACES_EXPORTER=none turn it off', async () => {
    const there = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.com:4318/' }
    assert.equal(tracesOf({}), null)
    assert.equal(tracesOf({ OTEL_SERVICE_NAME: 'x' }), null)
    assert.equal(tracesOf({ ...there, OTEL_SDK_DISABLED: 'TRUE' }), null)
    assert.equal(tracesOf({ ...there, OTEL_TRACES_EXPORTER: 'none' }), null)
    assert.equal(tracesOf(there)?.url, 'http://collector.example.com:4318/v1/traces')
    const own = tracesOf({ ...there, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example.com/in', OTEL_PROPAGATORS: 'baggage' })
    assert.deepEqual([own?.url, own?.follows, own?.resource['service.name']], ['https://t.example.com/in', false, 'walkdown'])
  })

  test('the doctor says whether the collector accepts traces', async () => {
    const findings = async (endpoint: string) => tracesFindings(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }))
    assert.deepEqual(await tracesFindings(readSettings({})), [])
    assert.deepEqual(
      (await findings(collector.url)).map(({ how, says }) => [how, says]),
      [['well', `the collector at ${collector.url} accepts traces`]],
    )
    const [away] = await findings(`http://127.0.0.1:${await freePort()}`)
    assert.equal(away?.how, 'look')
    assert.match(String(away?.says), /doesn’t accept traces \(ECONNREFUSED\)/)
  })

  test('what waits when the service stops is sent', async () => {
    const served = await openServed({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '600000' })
    try {
      await served.start()
      const answer = await fetch(`${served.url}/api/health/live`)
      const id = answer.headers.get('x-request-id')
      const sent = () => collector.spans.some(span => span.attributes['walkdown.request_id'] === id)
      assert.equal(sent(), false)
      assert.equal((await served.stop()).code, 0)
      assert.equal(sent(), true)
    } finally {
      await served.close()
    }
  })

  test('a sampler decides which traces are recorded', async () => {
    const spansWith = async (more: Record<string, string>) => {
      const traces = tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more })
      assert.ok(traces)
      const tracing = recordSpans(traces, '1.0.0', makeLog('silent'))
      const name = `sampled ${JSON.stringify(more)}`
      for (let n = 0; n < 50; n++) await tracing.root(name, {}, async () => {})
      await tracing.close()
      return collector.spans.filter(span => span.name === name).length
    }
    assert.equal(await spansWith({ OTEL_TRACES_SAMPLER: 'always_off' }), 0)
    assert.equal(await spansWith({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }), 0)
    assert.equal(await spansWith({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }), 50)
    const half = await spansWith({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' })
    assert.ok(half > 5 && half < 45, String(half))
  })

  test('a mistake in these settings is reported without what could be a secret', () => {
    const faults = (more: Record<string, string>) => {
      try {
        readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.com', ...more })
        return ''
      } catch (error) {
        assert.ok(error instanceof SettingsError)
        return error.faults.join('\n')
      }
    }
    assert.match(faults({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf, not "grpc"/)
    assert.match(faults({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }), /must be a URL/)
    assert.match(faults({ OTEL_TRACES_SAMPLER: 'some' }), /OTEL_TRACES_SAMPLER must be/)
    assert.match(faults({ OTEL_TRACES_SAMPLER_ARG: '2' }), /from 0 to 1/)
    for (const headers of ['hush', 'a=hush%'])
      assert.equal(
        faults({ OTEL_EXPORTER_OTLP_HEADERS: headers }),
        'OTEL_EXPORTER_OTLP_HEADERS must be a list like name=value,other=value, with percent-encoded values.',
      )
    assert.equal(faults({}), '')
  })
})

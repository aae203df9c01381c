import { BarChart, ScatterChart } from 'echarts/charts'
import { GridComponent, TitleComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Ratio, Summary } from '../harness/summary.ts'
import { WORKLOAD_TITLES, type Workload } from '../harness/workloads.ts'
import { figure, titleOf } from './markdown.ts'

// A grey and hues of middle lightness, so that the picture reads on white and on dark pages alike.
const INK = '#7d8590'
const FAINT = '#7d859040'
const SERVICE = '#2f81f7'
const TARGET = '#d29922'
const SHOWN: [Workload, string][] = [
  ['list20', SERVICE],
  ['get', '#2da44e'],
  ['create', '#a371f7'],
]
const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif'

export function drawPicture({ ratios }: Summary): string {
  echarts.use([BarChart, ScatterChart, GridComponent, TitleComponent, SVGRenderer])
  const shares = ratios.filter(ratio => ratio.against === 'floor').toReversed()
  const peers = [...new Set(ratios.map(ratio => ratio.against))].filter(name => name !== 'floor').toReversed()
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 860, height: 680 })
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: FONT, color: INK },
    title: [
      heading('Share of a bare Bun.serve that only sends the same bytes', 'orange: target', 8),
      heading('Times the throughput of', SHOWN.map(([name]) => WORKLOAD_TITLES[name]).join(' · '), 292),
    ],
    grid: [
      { left: 210, right: 70, top: 62, height: 190 },
      { left: 210, right: 70, top: 346, height: 300 },
    ],
    xAxis: [valueAxis(0), { ...valueAxis(1), type: 'log', min: 1 }],
    yAxis: [
      nameAxis(
        0,
        shares.map(ratio => WORKLOAD_TITLES[ratio.workload]),
      ),
      nameAxis(1, peers.map(titleOf)),
    ],
    series: [shareBars(shares), targetMarks(shares), ...peerBars(ratios, peers)],
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

function heading(text: string, subtext: string, top: number) {
  return {
    text,
    subtext,
    top,
    left: 8,
    itemGap: 4,
    textStyle: { color: INK, fontSize: 15, fontWeight: 'bold' as const, fontFamily: FONT },
    subtextStyle: { color: INK, fontSize: 12, fontFamily: FONT },
  }
}

function valueAxis(gridIndex: number) {
  return {
    gridIndex,
    type: 'value' as 'value' | 'log',
    min: 0,
    axisLabel: { color: INK },
    splitLine: { lineStyle: { color: FAINT } },
  }
}

function nameAxis(gridIndex: number, data: string[]) {
  return {
    gridIndex,
    type: 'category' as const,
    data,
    axisLabel: { color: INK, fontSize: 13 },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: INK } },
  }
}

function shareBars(shares: Ratio[]) {
  return {
    type: 'bar' as const,
    barWidth: 18,
    data: shares.map(ratio => ratio.median),
    itemStyle: { color: SERVICE, borderRadius: 2 },
    label: valueLabel(13, ''),
  }
}

function targetMarks(shares: Ratio[]) {
  return {
    type: 'scatter' as const,
    symbol: 'rect',
    symbolSize: [3, 26],
    itemStyle: { color: TARGET },
    data: shares.map((ratio, row) => [ratio.target ?? Number.NaN, row]),
    z: 3,
  }
}

function peerBars(ratios: Ratio[], peers: string[]) {
  // A category axis counts upwards: the last series is drawn at the top.
  return SHOWN.toReversed().map(([workload, color]) => ({
    type: 'bar' as const,
    xAxisIndex: 1,
    yAxisIndex: 1,
    barWidth: 13,
    itemStyle: { color, borderRadius: 2 },
    label: valueLabel(11, '×'),
    data: peers.map(peer => ratios.find(r => r.against === peer && r.workload === workload)?.median ?? 0),
  }))
}

function valueLabel(fontSize: number, unit: string) {
  return {
    show: true,
    position: 'right' as const,
    color: INK,
    fontSize,
    formatter: ({ value }: { value: unknown }) => `${figure(Number(value))}${unit}`,
  }
}

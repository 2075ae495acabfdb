// Draws the charts of the page with the plotting library, in the colors of the theme, and lets keys step through them.
// Defines `drawCharts`, which page.js calls. Names are escaped: the plotting library reads labels as a subset of HTML.
(function () {
  "use strict";
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const short = (text) => plain(text.length > 36 ? `${text.slice(0, 33)}...` : text);
  const count = (value) => value.toLocaleString("en-US");
  const CONFIG = { displayModeBar: false, responsive: true };

  function theme() {
    const style = getComputedStyle(document.documentElement);
    return (name) => style.getPropertyValue(`--${name}`).trim();
  }

  function layout(color, more) {
    return Object.assign({
      margin: { l: 10, r: 16, t: 8, b: 36 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: color("text"), size: 13, family: getComputedStyle(document.body).fontFamily },
      hoverlabel: { bgcolor: color("surface"), bordercolor: color("quiet"), font: { color: color("text") } },
      showlegend: false, dragmode: false,
    }, more);
  }

  // Names of bars on lines of a few words, where the page is narrow.
  function wrapped(text, narrow) {
    if (!narrow) return short(text);
    const lines = [""];
    for (const word of text.slice(0, 60).split(" ")) {
      if (lines.at(-1) && lines.at(-1).length + word.length > 14) lines.push(word);
      else lines.push(`${lines.pop()} ${word}`.trim());
    }
    return lines.map(short).join("<br>");
  }

  function axes(color, keys, labels, narrow) {
    const grid = { gridcolor: color("line"), zerolinecolor: color("quiet"), fixedrange: true };
    return {
      xaxis: { ...grid, rangemode: "tozero" },
      yaxis: { ...grid, type: "category", autorange: "reversed", automargin: true, categoryarray: keys,
        categoryorder: "array", tickmode: "array", tickvals: keys, ticktext: labels.map((text) => wrapped(text, narrow)),
        showgrid: false },
    };
  }

  function waterfall(chart, color, narrow) {
    const keys = chart.labels.map((_, index) => `bar${index}`);
    const last = keys.length - 1;
    const items = chart.labels.map((label, index) => ({ curve: 0, point: index, said: `${label}: ${chart.texts[index]} days` }));
    const bars = {
      type: "waterfall", orientation: "h", y: keys, x: chart.values, textposition: "outside", cliponaxis: false,
      text: chart.texts.map((text, index) => (index === last ? "" : text)), textfont: { color: color("text") },
      measure: keys.map((_, index) => (index === last ? "total" : "relative")),
      increasing: { marker: { color: color("accent") } }, decreasing: { marker: { color: color("fine") } },
      totals: { marker: { color: color("total") } }, connector: { line: { color: color("quiet"), width: 1 } },
      hoverinfo: "text", hovertext: items.map((item) => plain(item.said)),
    };
    const total = chart.values[last];
    const spread = {
      type: "scatter", mode: "markers", y: [keys[last]], x: [total], marker: { color: color("text"), size: 7 },
      error_x: { type: "data", symmetric: false, array: [Math.max(0, chart.high - total)],
        arrayminus: [Math.max(0, total - chart.low)], color: color("text"), thickness: 2 },
      hoverinfo: "skip",
    };
    const shape = layout(color, axes(color, keys, chart.labels, narrow));
    const highest = Math.max(chart.high, ...chart.values);
    shape.xaxis.range = [Math.min(0, ...chart.values), highest * (narrow ? 1.15 : 1.6)];
    const place = narrow ? { x: shape.xaxis.range[1], xanchor: "right", yshift: 20 } : { x: chart.high, xanchor: "left", xshift: 6 };
    shape.annotations = [{ y: keys[last], text: `${chart.texts[last]} (${chart.spread})`, showarrow: false,
      font: { color: color("text") }, ...place }];
    return { traces: [bars, spread], layout: shape, items };
  }

  function groups(chart, color, narrow) {
    const keys = chart.labels.map((_, index) => `bar${index}`);
    const items = chart.labels.map((label, index) => ({ curve: 0, point: index,
      said: `${label}: ${count(chart.automatic[index])} automatic, ${count(chart.manual[index])} manual`,
      leads: `#findings?group=${encodeURIComponent(label)}` }));
    const bar = (name, values, fill) => ({ type: "bar", orientation: "h", name, y: keys, x: values,
      marker: { color: fill }, hoverinfo: "text", hovertext: items.map((item) => plain(item.said)) });
    const traces = [bar("manual", chart.manual, color("total")), bar("automatic", chart.automatic, color("accent"))];
    const shape = layout(color, { ...axes(color, keys, chart.labels, narrow), barmode: "stack", showlegend: true,
      legend: { orientation: "h", traceorder: "normal", xref: "container", x: 0, xanchor: "left", yref: "container", y: 1,
        yanchor: "top" },
      margin: { l: 10, r: 16, t: 34, b: 36 } });
    return { traces, layout: shape, items };
  }

  function treemap(chart, color) {
    const leaf = (index) => chart.colors[index] !== "folder";
    const trace = {
      type: "treemap", ids: chart.labels.map((_, index) => String(index)), labels: chart.labels.map(plain),
      parents: chart.parents.map((index) => (index < 0 ? "" : String(index))),
      values: chart.values.map((value, index) => (leaf(index) ? value : 0)),  // folders are as large as their files
      text: chart.texts, textinfo: "label+text", hoverinfo: "text",
      hovertext: chart.labels.map((label, index) => plain(`${chart.paths[index] || label}: ${chart.texts[index]} ${chart.unit}`)),
      marker: { colors: chart.colors.map((name) => color(name === "folder" || name === "other" ? "folder" : `box-${name}`)), line: { width: 1, color: color("surface") } },
      textfont: { color: color("text") },
      tiling: { pad: 2 }, pathbar: { textfont: { color: color("text") } }, root: { color: "rgba(0,0,0,0)" },
    };
    const items = [];
    chart.paths.forEach((path, index) => {
      if (path) items.push({ node: index, said: `${path}: ${chart.texts[index]} ${chart.unit}, ${chart.colors[index]}`,
        size: chart.values[index], leads: `#file=${encodeURIComponent(path)}` });
    });
    items.sort((a, b) => b.size - a.size);
    return { traces: [trace], layout: layout(color, { margin: { l: 0, r: 0, t: 24, b: 0 } }), items };
  }

  const DRAWN = { waterfall, groups, treemap };
  const figures = [...document.querySelectorAll("[data-chart]")];

  function pick(canvas, item) {
    if (item.node === undefined) {
      window.Plotly.Fx.hover(canvas, [{ curveNumber: item.curve, pointNumber: item.point }]);
      return;
    }
    const widths = canvas.data[0].labels.map((_, index) => (index === item.node ? 5 : 1));
    window.Plotly.restyle(canvas, { "marker.line.width": [widths] });
  }

  function listen(figure, plot, canvas, items) {
    const readout = figure.querySelector(".readout");
    let place = -1;
    const keys = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    plot.addEventListener("keydown", (event) => {
      if (!items.length || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" && place >= 0 && items[place].leads) location.hash = items[place].leads;
      else if (event.key === "Home") place = 0;
      else if (event.key === "End") place = items.length - 1;
      else if (event.key in keys) place = (place + keys[event.key] + items.length) % items.length;
      else return;
      event.preventDefault();
      if (event.key === "Enter") return;
      readout.textContent = `${place + 1} of ${items.length}. ${items[place].said}`;
      pick(canvas, items[place]);
    });
    canvas.on("plotly_click", (event) => {
      const point = event.points[0];
      const found = items.find((item) => item.node === undefined ? item.point === point.pointNumber
        : String(item.node) === point.id);
      if (found && found.leads) location.hash = found.leads;
    });
    if (canvas.data[0].type === "treemap") {
      canvas.on("plotly_treemapclick", (event) => {
        const found = items.find((item) => String(item.node) === event.points[0].id);
        if (found) { location.hash = found.leads; return false; }
        return undefined;
      });
    }
  }

  window.drawCharts = function (charts) {
    if (!window.Plotly) return;
    const color = theme();
    for (const figure of figures) {
      const chart = charts[Number(figure.dataset.chart)];
      const plot = figure.querySelector(".plot"), canvas = figure.querySelector(".canvas");
      const fresh = plot.hidden;
      plot.hidden = false;
      figure.querySelector(".keys").hidden = false;
      const made = DRAWN[chart.kind](chart, color, figure.clientWidth < 520);
      if (chart.kind !== "treemap") made.layout.height = Math.max(200, 80 + 38 * chart.labels.length);
      else made.layout.height = Math.max(320, Math.min(520, window.innerHeight * 0.6));
      plot.style.minHeight = `${made.layout.height}px`;
      window.Plotly.react(canvas, made.traces, made.layout, CONFIG);
      if (fresh) listen(figure, plot, canvas, made.items);
    }
  };
})();

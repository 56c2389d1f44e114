// Plays a film of 36 segments over a link that gets slower and faster, with a fake dash.js of each version. ES5. Times are
// those of the clock in page.cjs. A download has the rate of the link or the pace asked for, whichever is lower.
/* global dashjsSammy, globalsBefore, globalsAfter, clock_ms:writable */
/* exported runSession */

var RUNGS_KBPS = [300, 700, 1300, 2200, 3300];
var SEGMENTS = 36;
var SEGMENT_S = 2;

/** Rate of the link in kbit/s. */
function linkAt(segment) {
  if (segment < 10) return 9000;
  if (segment < 16) return 250;
  if (segment < 26) return 4000;
  return 30000;
}

function sizeOf(bitrate_kbps, segment) {
  return Math.round(((bitrate_kbps * 1000 * SEGMENT_S) / 8) * (0.7 + 0.15 * (segment % 5)));
}

function merge(target, patch) {
  Object.keys(patch).forEach(function (name) {
    var value = patch[name];
    var isBranch = value !== null && typeof value === 'object' && !Array.isArray(value);
    if (isBranch && target[name]) merge(target[name], value);
    else target[name] = value;
  });
}

function representations() {
  return RUNGS_KBPS.map(function (bitrate, index) {
    return { id: 'r' + index, bandwidth: bitrate * 1000, mediaInfo: { streamInfo: { id: 'period' } } };
  });
}

/** A fake of dash.js's fragment model. It reports every request as in flight, so that any request can be aborted. */
var LOADER = {
  getRequests: function () {
    return {
      includes: function () {
        return true;
      },
    };
  },
  abortRequests: function () {},
};

/** The parts of dash.js that Sammy uses and that 4.7 and 5 have in common. */
function fakePlayer(version) {
  var listeners = {};
  var rules = {};
  var film = { buffer_s: 0, playhead_s: 0, playing: false };
  var settings = {
    streaming: {
      abr: {
        rules: { l2ARule: { active: false }, throughputRule: { active: true } },
        additionalAbrRules: { abandonRequestsRule: true },
        initialBitrate: { video: -1, audio: -1 },
      },
      lastBitrateCachingInfo: { enabled: true, ttl: 360000 },
      buffer: {
        fastSwitchEnabled: true,
        bufferTimeAtTopQuality: 30,
        bufferTimeDefault: 20,
        stableBufferTime: 20,
      },
      cmcd: { enabled: false, mode: 'query', enabledKeys: ['br', 'rtp'], rtp: null, version: 1 },
    },
  };
  var player = {
    getVersion: function () {
      return version;
    },
    isReady: function () {
      return false;
    },
    getSettings: function () {
      return settings;
    },
    updateSettings: function (patch) {
      merge(settings, patch);
    },
    on: function (type, listener) {
      (listeners[type] = listeners[type] || []).push(listener);
    },
    off: function (type, listener) {
      listeners[type] = (listeners[type] || []).filter(function (other) {
        return other !== listener;
      });
    },
    addABRCustomRule: function (type, name, factory) {
      rules[name] = factory().create();
    },
    removeABRCustomRule: function (name) {
      delete rules[name];
    },
    getABRCustomRules: function () {
      return Object.keys(rules).map(function (name) {
        return { rulename: name };
      });
    },
    getBufferLength: function () {
      return film.buffer_s;
    },
    getVideoElement: function () {
      return {
        paused: false,
        currentTime: film.playhead_s,
        buffered: {
          length: 1,
          start: function () {
            return 0;
          },
          end: function () {
            return film.playhead_s + film.buffer_s;
          },
        },
      };
    },
    getTargetLiveDelay: function () {
      return 0;
    },
    isDynamic: function () {
      return false;
    },
    duration: function () {
      return SEGMENTS * SEGMENT_S;
    },
    getPlaybackRate: function () {
      return 1;
    },
    getAutoPlay: function () {
      return true;
    },
  };
  return {
    player: player,
    settings: settings,
    rules: rules,
    film: film,
    fire: function (type, event) {
      (listeners[type] || []).slice().forEach(function (listener) {
        listener(event || {});
      });
    },
  };
}

/** The receipt's headers from an edge that has applied the pace. */
function receiptOf(pace_kbps, segment) {
  return {
    'cmsd-dynamic': '"dashjs-sammy";etp=9000;rtt=20;io.github.dashjs-sammy-pace=' + (pace_kbps || 0),
    'server-timing':
      'pace;desc="requested", tcp-rtt;dur=20.5, tcp-minrtt;dur=18, tcp-retransmitted;desc="' +
      segment * 1448 +
      '", tcp-sent;desc="' +
      segment * 500000 +
      '", connection;desc="c1"',
  };
}

function contextOf(mediaType, request) {
  var list = representations();
  return {
    getMediaType: function () {
      return mediaType;
    },
    getMediaInfo: function () {
      return {
        type: mediaType,
        streamInfo: { id: 'period' },
        bitrateList: list,
      };
    },
    getCurrentRequest: function () {
      return request;
    },
    getAbrController: function () {
      return {
        getPossibleVoRepresentationsFilteredBySettings: function () {
          return list;
        },
        getMaxAllowedIndexFor: function () {
          return list.length - 1;
        },
        getMinAllowedIndexFor: function () {
          return 0;
        },
      };
    },
  };
}

/** A fake dash.js 5, which passes requests and responses to its interceptors. */
function version5() {
  var fake = fakePlayer('5.2.1');
  var interceptors = {};
  fake.player.addRequestInterceptor = function (interceptor) {
    interceptors.request = interceptor;
  };
  fake.player.addResponseInterceptor = function (interceptor) {
    interceptors.response = interceptor;
  };
  fake.player.removeRequestInterceptor = fake.player.removeResponseInterceptor = function () {};
  fake.player.getRepresentationsByType = representations;
  fake.chosen = function (mediaType) {
    var choice = fake.rules.SammyRule.getSwitchRequest(contextOf(mediaType)).representation;
    return choice ? Number(choice.id.slice(1)) : 0;
  };
  fake.abandoned = function (request) {
    return (
      fake.rules.SammyAbandonRule.shouldAbandon(contextOf(request.mediaType, request)).representation !== null
    );
  };
  fake.request = function (request) {
    var media = { url: request.url, headers: {}, customData: { request: request } };
    return interceptors.request(media).then(function (sent) {
      return { sent: sent.url, media: sent };
    });
  };
  fake.respond = function (request, exchange, headers, aborted) {
    if (!aborted) fake.fire('fragmentLoadingCompleted', { request: request, sender: LOADER });
    return interceptors.response({
      request: exchange.media,
      status: aborted ? 0 : 200,
      headers: headers,
      // An aborted request has no body.
      data: aborted ? undefined : { byteLength: request.bytesLoaded },
    });
  };
  return fake;
}

/** A fake dash.js 4.7, which reports requests by events and takes rtp from its settings. */
function version4() {
  var fake = fakePlayer('4.7.4');
  fake.player.getBitrateInfoListFor = function () {
    return RUNGS_KBPS.map(function (bitrate, index) {
      return { bitrate: bitrate * 1000, qualityIndex: index };
    });
  };
  fake.chosen = function (mediaType) {
    return Math.max(0, fake.rules.SammyRule.getMaxIndex(contextOf(mediaType)).quality);
  };
  fake.abandoned = function (request) {
    return fake.rules.SammyAbandonRule.shouldAbandon(contextOf(request.mediaType, request)).quality >= 0;
  };
  fake.request = function (request) {
    fake.fire('fragmentLoadingStarted', { request: request });
    var cmcd = fake.settings.streaming.cmcd;
    var rtp = cmcd.enabled && cmcd.rtp ? '?CMCD=rtp%3D' + cmcd.rtp : '';
    return Promise.resolve({ sent: request.url + rtp, began: new Date(clock_ms) });
  };
  fake.respond = function (request, exchange, headers, aborted) {
    var lines = Object.keys(headers).map(function (name) {
      return name + ': ' + headers[name];
    });
    fake.fire('metricAdded', {
      metric: 'HttpList',
      value: { url: request.url, trequest: exchange.began, _responseHeaders: lines.join('\r\n') },
    });
    // dash.js reads the response between these two events.
    if (!aborted)
      fake.fire('loadingCompleted', { request: request, response: { byteLength: request.bytesLoaded } });
    fake.fire(aborted ? 'fragmentLoadingAbandoned' : 'fragmentLoadingCompleted', {
      request: request,
      sender: LOADER,
    });
  };
  return fake;
}

/** Plays for `ms`, and stalls when the buffer is empty. */
function pass(fake, ms) {
  clock_ms += ms;
  var film = fake.film;
  if (!film.playing) return;
  var played_s = Math.min(film.buffer_s, ms / 1000);
  film.playhead_s += played_s;
  film.buffer_s -= played_s;
  fake.fire('playbackTimeUpdated');
  if (film.buffer_s === 0) {
    film.playing = false;
    fake.fire('playbackWaiting');
  }
}

function download(fake, mediaType, segment, urls, next) {
  var rung = mediaType === 'video' ? fake.chosen(mediaType) : 0;
  var size = sizeOf(RUNGS_KBPS[rung], segment);
  var request = {
    type: 'MediaSegment',
    url: 'https://edge.example/' + mediaType + '/' + rung + '/' + segment + '.m4s',
    mediaType: mediaType,
    index: segment,
    startTime: segment * SEGMENT_S,
    duration: SEGMENT_S,
    bytesLoaded: 0,
    bytesTotal: size,
    quality: rung,
    representationId: 'r' + rung,
    representation: representations()[rung],
    firstByteDate: new Date(clock_ms),
  };
  fake.request(request).then(function (exchange) {
    urls.push(exchange.sent);
    var asked = /rtp(?:%3D|=)(\d+)/.exec(exchange.sent);
    var pace_kbps = asked ? Number(asked[1]) : null;
    var rate_kbps = Math.min(linkAt(segment), pace_kbps || Infinity);
    var took_ms = 20 + (size * 8) / rate_kbps;
    pass(fake, took_ms / 2);
    request.bytesLoaded = Math.round(size / 2);
    var aborted = fake.abandoned(request);
    if (!aborted) {
      pass(fake, took_ms / 2);
      request.bytesLoaded = size;
    }
    fake.respond(request, exchange, receiptOf(pace_kbps, segment), aborted);
    next(aborted);
  });
}

function play(fake, handle, urls, done) {
  var step = function (segment) {
    if (segment === SEGMENTS) return done();
    if (segment === 22) handle.update({ pace: dashjsSammy.smooth({ reserve_s: 12 }) });
    if (segment === 30) fake.fire('playbackSeeking');
    download(fake, 'video', segment, urls, function (aborted) {
      var audio = function () {
        download(fake, 'audio', segment, urls, function () {
          fake.film.buffer_s += SEGMENT_S;
          if (segment === 0) fake.fire('playbackStarted');
          if (!fake.film.playing) {
            fake.film.playing = true;
            fake.fire('playbackPlaying');
          }
          // With a full buffer, the next request waits.
          if (fake.film.buffer_s > 20) pass(fake, (fake.film.buffer_s - 20) * 1000);
          step(segment + 1);
        });
      };
      if (aborted) download(fake, 'video', segment, urls, audio);
      else audio();
    });
  };
  fake.fire('manifestLoadingStarted');
  step(0);
}

function refusalOf(action) {
  try {
    action();
    return 'accepted';
  } catch (error) {
    return error.message;
  }
}

/** Runs the session with one version and passes its results to `done`. */
function runVersion(fake, done) {
  var warnings = [];
  var summaries = [];
  var urls = [];
  var told = 0;
  var refusals = [
    refusalOf(function () {
      dashjsSammy.attachSammy(fake.player, { c0: 'three' });
    }),
    refusalOf(function () {
      dashjsSammy.attachSammy({});
    }),
  ];
  var before = JSON.stringify(fake.settings);
  var lacks = [];
  var handle = dashjsSammy.attachSammy(fake.player, {
    // The page has no fetch, so the sidecar cannot be loaded, and the plug-in warns.
    sidecar: dashjsSammy.sidecar('/quality.json', {
      warn: function (message) {
        lacks.push(message);
      },
    }),
    summary: dashjsSammy.sessionSummary,
  });
  handle.on('warning', function (warning) {
    warnings.push(warning);
  });
  handle.on('summary', function (summary) {
    summaries.push(summary);
  });
  handle.on('decision', function () {
    told += 1;
  });
  play(fake, handle, urls, function () {
    var decisions = handle.decisions.slice();
    fake.fire('streamTeardownComplete');
    handle.detach();
    // Waits for the listeners, which are called in microtasks.
    setTimeout(function () {
      done({
        decisions: decisions,
        told: told,
        urls: urls,
        warnings: warnings,
        lacks: lacks,
        summaries: summaries,
        refusals: refusals,
        settingsAreBack: JSON.stringify(fake.settings) === before,
        rulesLeft: Object.keys(fake.rules),
        played_s: fake.film.playhead_s,
      });
    }, 50);
  });
}

/** Rounds all numbers to 9 digits, because powers and logarithms differ between engines in the last bits. */
function rounded(value) {
  return JSON.parse(
    JSON.stringify(value, function (name, part) {
      return typeof part === 'number' ? Number(part.toPrecision(9)) : part;
    })
  );
}

function runSession(done) {
  var newGlobals = Object.keys(globalsAfter).filter(function (name) {
    return globalsAfter[name] !== globalsBefore[name];
  });
  runVersion(version5(), function (v5) {
    runVersion(version4(), function (v4) {
      done(rounded({ newGlobals: newGlobals, v5: v5, v4: v4 }));
    });
  });
}

var G, m, De, A, me, Ue, Ee, re, J, R, He, ce, se, ie, Me, z = {}, V = [], lt = /acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i, X = Array.isArray;
function N(t, e) {
  for (var n in e) t[n] = e[n];
  return t;
}
function ue(t) {
  t && t.parentNode && t.parentNode.removeChild(t);
}
function _t(t, e, n) {
  var r, s, o, l = {};
  for (o in e) o == "key" ? r = e[o] : o == "ref" ? s = e[o] : l[o] = e[o];
  if (arguments.length > 2 && (l.children = arguments.length > 3 ? G.call(arguments, 2) : n), typeof t == "function" && t.defaultProps != null) for (o in t.defaultProps) l[o] === void 0 && (l[o] = t.defaultProps[o]);
  return I(t, l, r, s, null);
}
function I(t, e, n, r, s) {
  var o = { type: t, props: e, key: n, ref: r, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: void 0, __v: s ?? ++De, __i: -1, __u: 0 };
  return s == null && m.vnode != null && m.vnode(o), o;
}
function F(t) {
  return t.children;
}
function B(t, e) {
  this.props = t, this.context = e;
}
function T(t, e) {
  if (e == null) return t.__ ? T(t.__, t.__i + 1) : null;
  for (var n; e < t.__k.length; e++) if ((n = t.__k[e]) != null && n.__e != null) return n.__e;
  return typeof t.type == "function" ? T(t) : null;
}
function at(t) {
  if (t.__P && t.__d) {
    var e = t.__v, n = e.__e, r = [], s = [], o = N({}, e);
    o.__v = e.__v + 1, m.vnode && m.vnode(o), he(t.__P, o, e, t.__n, t.__P.namespaceURI, 32 & e.__u ? [n] : null, r, n ?? T(e), !!(32 & e.__u), s), o.__v = e.__v, o.__.__k[o.__i] = o, We(r, o, s), e.__e = e.__ = null, o.__e != n && Re(o);
  }
}
function Re(t) {
  if ((t = t.__) != null && t.__c != null) return t.__e = t.__c.base = null, t.__k.some(function(e) {
    if (e != null && e.__e != null) return t.__e = t.__c.base = e.__e;
  }), Re(t);
}
function le(t) {
  (!t.__d && (t.__d = !0) && A.push(t) && !K.__r++ || me != m.debounceRendering) && ((me = m.debounceRendering) || Ue)(K);
}
function K() {
  try {
    for (var t, e = 1; A.length; ) A.length > e && A.sort(Ee), t = A.shift(), e = A.length, at(t);
  } finally {
    A.length = K.__r = 0;
  }
}
function je(t, e, n, r, s, o, l, a, c, _, f) {
  var p, i, h, v, k, b, y = r && r.__k || V, d = e.length;
  for (c = ct(n, e, y, c, d), p = 0; p < d; p++) (h = n.__k[p]) != null && (i = h.__i != -1 && y[h.__i] || z, h.__i = p, b = he(t, h, i, s, o, l, a, c, _, f), v = h.__e, h.ref && i.ref != h.ref && (i.ref && fe(i.ref, null, h), f.push(h.ref, h.__c || v, h)), k == null && v != null && (k = v), 4 & h.__u ? (c = Fe(h, c, t), i.__e && (i.__e = null)) : typeof h.type == "function" && b !== void 0 ? c = b : v && (c = v.nextSibling), h.__u &= -7);
  return n.__e = k, c;
}
function ct(t, e, n, r, s) {
  var o, l, a, c, _, f = n.length, p = f, i = 0;
  for (t.__k = new Array(s), o = 0; o < s; o++) (l = e[o]) != null && typeof l != "boolean" && typeof l != "function" ? (typeof l == "string" || typeof l == "number" || typeof l == "bigint" || l.constructor == String ? l = t.__k[o] = I(null, l, null, null, null) : X(l) ? l = t.__k[o] = I(F, { children: l }, null, null, null) : l.constructor === void 0 && l.__b > 0 ? l = t.__k[o] = I(l.type, l.props, l.key, l.ref ? l.ref : null, l.__v) : t.__k[o] = l, c = o + i, l.__ = t, l.__b = t.__b + 1, a = null, (_ = l.__i = ut(l, n, c, p)) != -1 && (p--, (a = n[_]) && (a.__u |= 2)), a == null || a.__v == null ? (_ == -1 && (s > f ? i-- : s < f && i++), typeof l.type != "function" && (l.__u |= 4)) : _ != c && (_ == c - 1 ? i-- : _ == c + 1 ? i++ : (_ > c ? i-- : i++, l.__u |= 4))) : t.__k[o] = null;
  if (p) for (o = 0; o < f; o++) (a = n[o]) != null && (2 & a.__u) == 0 && (a.__e == r && (r = T(a)), Ie(a, a));
  return r;
}
function Fe(t, e, n) {
  var r, s;
  if (typeof t.type == "function") {
    for (r = t.__k, s = 0; r && s < r.length; s++) r[s] && (r[s].__ = t, e = Fe(r[s], e, n));
    return e;
  }
  t.__e != e && (e && t.type && !e.parentNode && (e = T(t)), e = n.insertBefore(t.__e, e || null));
  do
    e = e && e.nextSibling;
  while (e != null && e.nodeType == 8);
  return e;
}
function ut(t, e, n, r) {
  var s, o, l, a = t.key, c = t.type, _ = e[n], f = _ != null && (2 & _.__u) == 0;
  if (_ === null && a == null || f && a == _.key && c == _.type) return n;
  if (r > (f ? 1 : 0)) {
    for (s = n - 1, o = n + 1; s >= 0 || o < e.length; ) if ((_ = e[l = s >= 0 ? s-- : o++]) != null && (2 & _.__u) == 0 && a == _.key && c == _.type) return l;
  }
  return -1;
}
function ve(t, e, n) {
  e[0] == "-" ? t.setProperty(e, n ?? "") : t[e] = n == null ? "" : typeof n != "number" || lt.test(e) ? n : n + "px";
}
function W(t, e, n, r, s) {
  var o, l;
  e: if (e == "style") if (typeof n == "string") t.style.cssText = n;
  else {
    if (typeof r == "string" && (t.style.cssText = r = ""), r) for (e in r) n && e in n || ve(t.style, e, "");
    if (n) for (e in n) r && n[e] == r[e] || ve(t.style, e, n[e]);
  }
  else if (e[0] == "o" && e[1] == "n") o = e != (e = e.replace(He, "$1")), l = e.toLowerCase(), e = l in t || e == "onFocusOut" || e == "onFocusIn" ? l.slice(2) : e.slice(2), t.l || (t.l = {}), t.l[e + o] = n, n ? r ? n[R] = r[R] : (n[R] = ce, t.addEventListener(e, o ? ie : se, o)) : t.removeEventListener(e, o ? ie : se, o);
  else {
    if (s == "http://www.w3.org/2000/svg") e = e.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if (e != "width" && e != "height" && e != "href" && e != "list" && e != "form" && e != "tabIndex" && e != "download" && e != "rowSpan" && e != "colSpan" && e != "role" && e != "popover" && e in t) try {
      t[e] = n ?? "";
      break e;
    } catch {
    }
    typeof n == "function" || (n == null || n === !1 && e[4] != "-" ? t.removeAttribute(e) : t.setAttribute(e, e == "popover" && n == 1 ? "" : n));
  }
}
function ye(t) {
  return function(e) {
    if (this.l) {
      var n = this.l[e.type + t];
      if (e[J] == null) e[J] = ce++;
      else if (e[J] < n[R]) return;
      return n(m.event ? m.event(e) : e);
    }
  };
}
function he(t, e, n, r, s, o, l, a, c, _) {
  var f, p, i, h, v, k, b, y, d, S, x, C, M, pe, L, ne, $ = e.type;
  if (e.constructor !== void 0) return null;
  128 & n.__u && (c = !!(32 & n.__u), o = [a = e.__e = n.__e]), (f = m.__b) && f(e);
  e: if (typeof $ == "function") {
    p = l.length;
    try {
      if (d = e.props, S = $.prototype && $.prototype.render, x = (f = $.contextType) && r[f.__c], C = f ? x ? x.props.value : f.__ : r, n.__c ? y = (i = e.__c = n.__c).__ = i.__E : (S ? e.__c = i = new $(d, C) : (e.__c = i = new B(d, C), i.constructor = $, i.render = ft), x && x.sub(i), i.state || (i.state = {}), i.__n = r, h = i.__d = !0, i.__h = [], i._sb = []), S && i.__s == null && (i.__s = i.state), S && $.getDerivedStateFromProps != null && (i.__s == i.state && (i.__s = N({}, i.__s)), N(i.__s, $.getDerivedStateFromProps(d, i.__s))), v = i.props, k = i.state, i.__v = e, h) S && $.getDerivedStateFromProps == null && i.componentWillMount != null && i.componentWillMount(), S && i.componentDidMount != null && i.__h.push(i.componentDidMount);
      else {
        if (S && $.getDerivedStateFromProps == null && d !== v && i.componentWillReceiveProps != null && i.componentWillReceiveProps(d, C), e.__v == n.__v || !i.__e && i.shouldComponentUpdate != null && i.shouldComponentUpdate(d, i.__s, C) === !1) {
          e.__v != n.__v && (i.props = d, i.state = i.__s, i.__d = !1), e.__e = n.__e, e.__k = n.__k, e.__k.some(function(D) {
            D && (D.__ = e);
          }), V.push.apply(i.__h, i._sb), i._sb = [], i.__h.length && l.push(i), a = T(n);
          break e;
        }
        i.componentWillUpdate != null && i.componentWillUpdate(d, i.__s, C), S && i.componentDidUpdate != null && i.__h.push(function() {
          i.componentDidUpdate(v, k, b);
        });
      }
      if (i.context = C, i.props = d, i.__P = t, i.__e = !1, M = m.__r, pe = 0, S) i.state = i.__s, i.__d = !1, M && M(e), f = i.render(i.props, i.state, i.context), V.push.apply(i.__h, i._sb), i._sb = [];
      else do
        i.__d = !1, M && M(e), f = i.render(i.props, i.state, i.context), i.state = i.__s;
      while (i.__d && ++pe < 25);
      i.state = i.__s, i.getChildContext != null && (r = N(N({}, r), i.getChildContext())), S && !h && i.getSnapshotBeforeUpdate != null && (b = i.getSnapshotBeforeUpdate(v, k)), L = f != null && f.type === F && f.key == null ? Je(f.props.children) : f, a = je(t, X(L) ? L : [L], e, n, r, s, o, l, a, c, _), i.base = e.__e, e.__u &= -161, i.__h.length && l.push(i), y && (i.__E = i.__ = null);
    } catch (D) {
      if (l.length = p, e.__v = null, c || o != null) {
        if (D.then) {
          for (e.__u |= c ? 160 : 128; a && a.nodeType == 8 && a.nextSibling; ) a = a.nextSibling;
          o != null && (o[o.indexOf(a)] = null), e.__e = a;
        } else if (o != null) for (ne = o.length; ne--; ) ue(o[ne]);
      } else e.__e = n.__e;
      e.__k == null && (e.__k = n.__k || []), D.then || Le(e), m.__e(D, e, n);
    }
  } else o == null && e.__v == n.__v ? (e.__k = n.__k, e.__e = n.__e) : a = e.__e = ht(n.__e, e, n, r, s, o, l, c, _);
  return (f = m.diffed) && f(e), 128 & e.__u ? void 0 : a;
}
function Le(t) {
  t && (t.__c && (t.__c.__e = !0), t.__k && t.__k.some(Le));
}
function We(t, e, n) {
  for (var r = 0; r < n.length; r++) fe(n[r], n[++r], n[++r]);
  m.__c && m.__c(e, t), t.some(function(s) {
    try {
      t = s.__h, s.__h = [], t.some(function(o) {
        o.call(s);
      });
    } catch (o) {
      m.__e(o, s.__v);
    }
  });
}
function Je(t) {
  return typeof t != "object" || t == null || t.__b > 0 ? t : X(t) ? t.map(Je) : t.constructor !== void 0 ? null : N({}, t);
}
function ht(t, e, n, r, s, o, l, a, c) {
  var _, f, p, i, h, v, k, b = n.props || z, y = e.props, d = e.type;
  if (d == "svg" ? s = "http://www.w3.org/2000/svg" : d == "math" ? s = "http://www.w3.org/1998/Math/MathML" : s || (s = "http://www.w3.org/1999/xhtml"), o != null) {
    for (_ = 0; _ < o.length; _++) if ((h = o[_]) && "setAttribute" in h == !!d && (d ? h.localName == d : h.nodeType == 3)) {
      t = h, o[_] = null;
      break;
    }
  }
  if (t == null) {
    if (d == null) return document.createTextNode(y);
    t = document.createElementNS(s, d, y.is && y), a && (m.__m && m.__m(e, o), a = !1), o = null;
  }
  if (d == null) b === y || a && t.data == y || (t.data = y);
  else {
    if (o = d == "textarea" && y.defaultValue != null ? null : o && G.call(t.childNodes), !a && o != null) for (b = {}, _ = 0; _ < t.attributes.length; _++) b[(h = t.attributes[_]).name] = h.value;
    for (_ in b) h = b[_], _ == "dangerouslySetInnerHTML" ? p = h : _ == "children" || _ in y || _ == "value" && "defaultValue" in y || _ == "checked" && "defaultChecked" in y || W(t, _, null, h, s);
    for (_ in y) h = y[_], _ == "children" ? i = h : _ == "dangerouslySetInnerHTML" ? f = h : _ == "value" ? v = h : _ == "checked" ? k = h : a && typeof h != "function" || b[_] === h || W(t, _, h, b[_], s);
    if (f) a || p && (f.__html == p.__html || f.__html == t.innerHTML) || (t.innerHTML = f.__html), e.__k = [];
    else if (p && (t.innerHTML = ""), je(e.type == "template" ? t.content : t, X(i) ? i : [i], e, n, r, d == "foreignObject" ? "http://www.w3.org/1999/xhtml" : s, o, l, o ? o[0] : n.__k && T(n, 0), a, c), o != null) for (_ = o.length; _--; ) ue(o[_]);
    a && d != "textarea" || (_ = "value", d == "progress" && v == null ? t.removeAttribute("value") : v != null && (v !== t[_] || d == "progress" && !v || d == "option" && v != b[_]) && W(t, _, v, b[_], s), _ = "checked", k != null && k != t[_] && W(t, _, k, b[_], s));
  }
  return t;
}
function fe(t, e, n) {
  try {
    if (typeof t == "function") {
      var r = typeof t.__u == "function";
      r && t.__u(), r && e == null || (t.__u = t(e));
    } else t.current = e;
  } catch (s) {
    m.__e(s, n);
  }
}
function Ie(t, e, n) {
  var r, s;
  if (m.unmount && m.unmount(t), (r = t.ref) && (r.current && r.current != t.__e || fe(r, null, e)), (r = t.__c) != null) {
    if (r.componentWillUnmount) try {
      r.componentWillUnmount();
    } catch (o) {
      m.__e(o, e);
    }
    r.base = r.__P = r.__n = null;
  }
  if (r = t.__k) for (s = 0; s < r.length; s++) r[s] && Ie(r[s], e, n || typeof t.type != "function");
  n || ue(t.__e), t.__c = t.__ = t.__e = void 0;
}
function ft(t, e, n) {
  return this.constructor(t, n);
}
function ge(t, e, n) {
  var r, s, o, l;
  e == document && (e = document.documentElement), m.__ && m.__(t, e), s = (r = !1) ? null : e.__k, o = [], l = [], he(e, t = e.__k = _t(F, null, [t]), s || z, z, e.namespaceURI, s ? null : e.firstChild ? G.call(e.childNodes) : null, o, s ? s.__e : e.firstChild, r, l), We(o, t, l), t.props.children = null;
}
function de(t) {
  function e(n) {
    var r, s;
    return this.getChildContext || (r = /* @__PURE__ */ new Set(), (s = {})[e.__c] = this, this.getChildContext = function() {
      return s;
    }, this.componentWillUnmount = function() {
      r = null;
    }, this.shouldComponentUpdate = function(o) {
      this.props.value != o.value && r.forEach(function(l) {
        l.__e = !0, le(l);
      });
    }, this.sub = function(o) {
      r.add(o);
      var l = o.componentWillUnmount;
      o.componentWillUnmount = function() {
        r && r.delete(o), l && l.call(o);
      };
    }), n.children;
  }
  return e.__c = "__cC" + Me++, e.__ = t, e.Provider = e.__l = (e.Consumer = function(n, r) {
    return n.children(r);
  }).contextType = e, e;
}
G = V.slice, m = { __e: function(t, e, n, r) {
  for (var s, o, l; e = e.__; ) if ((s = e.__c) && !s.__) try {
    if ((o = s.constructor) && o.getDerivedStateFromError != null && (s.setState(o.getDerivedStateFromError(t)), l = s.__d), s.componentDidCatch != null && (s.componentDidCatch(t, r || {}), l = s.__d), l) return s.__E = s;
  } catch (a) {
    t = a;
  }
  throw t;
} }, De = 0, B.prototype.setState = function(t, e) {
  var n;
  n = this.__s != null && this.__s != this.state ? this.__s : this.__s = N({}, this.state), typeof t == "function" && (t = t(N({}, n), this.props)), t && N(n, t), t != null && this.__v && (e && this._sb.push(e), le(this));
}, B.prototype.forceUpdate = function(t) {
  this.__v && (this.__e = !0, t && this.__h.push(t), le(this));
}, B.prototype.render = F, A = [], Ue = typeof Promise == "function" ? Promise.prototype.then.bind(Promise.resolve()) : setTimeout, Ee = function(t, e) {
  return t.__v.__b - e.__v.__b;
}, K.__r = 0, re = Math.random().toString(8), J = "__d" + re, R = "__a" + re, He = /(PointerCapture)$|Capture$/i, ce = 0, se = ye(!1), ie = ye(!0), Me = 0;
var dt = 0;
function u(t, e, n, r, s, o) {
  e || (e = {});
  var l, a, c = e;
  if ("ref" in c) for (a in c = {}, e) a == "ref" ? l = e[a] : c[a] = e[a];
  var _ = { type: t, props: c, key: n, ref: l, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: void 0, __v: --dt, __i: -1, __u: 0, __source: s, __self: o };
  if (typeof t == "function" && (l = t.defaultProps)) for (a in l) c[a] === void 0 && (c[a] = l[a]);
  return m.vnode && m.vnode(_), _;
}
var H, g, oe, be, j = 0, Be = [], w = m, we = w.__b, ke = w.__r, Se = w.diffed, xe = w.__c, Ce = w.unmount, $e = w.__;
function Y(t, e) {
  w.__h && w.__h(g, t, j || e), j = 0;
  var n = g.__H || (g.__H = { __: [], __h: [] });
  return t >= n.__.length && n.__.push({}), n.__[t];
}
function P(t) {
  return j = 1, pt(Ke, t);
}
function pt(t, e, n) {
  var r = Y(H++, 2);
  if (r.t = t, !r.__c && (r.__ = [Ke(void 0, e), function(a) {
    var c = r.__N ? r.__N[0] : r.__[0], _ = r.t(c, a);
    c !== _ && (r.__N = [_, r.__[1]], r.__c.setState({}));
  }], r.__c = g, !g.__f)) {
    var s = function(a, c, _) {
      if (!r.__c.__H) return !0;
      var f = !1, p = r.__c.props !== a;
      if (r.__c.__H.__.some(function(h) {
        if (h.__N) {
          f = !0;
          var v = h.__[0];
          h.__ = h.__N, h.__N = void 0, v !== h.__[0] && (p = !0);
        }
      }), o) {
        var i = o.call(this, a, c, _);
        return f ? i || p : i;
      }
      return !f || p;
    };
    g.__f = !0;
    var o = g.shouldComponentUpdate, l = g.componentWillUpdate;
    g.componentWillUpdate = function(a, c, _) {
      if (this.__e) {
        var f = o;
        o = void 0, s(a, c, _), o = f;
      }
      l && l.call(this, a, c, _);
    }, g.shouldComponentUpdate = s;
  }
  return r.__N || r.__;
}
function Z(t, e) {
  var n = Y(H++, 3);
  !w.__s && Ve(n.__H, e) && (n.__ = t, n.u = e, g.__H.__h.push(n));
}
function qe(t) {
  return j = 5, ee(function() {
    return { current: t };
  }, []);
}
function ee(t, e) {
  var n = Y(H++, 7);
  return Ve(n.__H, e) && (n.__ = t(), n.__H = e, n.__h = t), n.__;
}
function Ne(t, e) {
  return j = 8, ee(function() {
    return t;
  }, e);
}
function ze(t) {
  var e = g.context[t.__c], n = Y(H++, 9);
  return n.c = t, e ? (n.__ == null && (n.__ = !0, e.sub(g)), e.props.value) : t.__;
}
function mt() {
  for (var t; t = Be.shift(); ) {
    var e = t.__H;
    if (t.__P && e) try {
      e.__h.some(q), e.__h.some(_e), e.__h = [];
    } catch (n) {
      e.__h = [], w.__e(n, t.__v);
    }
  }
}
w.__b = function(t) {
  g = null, we && we(t);
}, w.__ = function(t, e) {
  t && e.__k && e.__k.__m && (t.__m = e.__k.__m), $e && $e(t, e);
}, w.__r = function(t) {
  ke && ke(t), H = 0;
  var e = (g = t.__c).__H;
  e && (oe === g ? (e.__h = [], g.__h = [], e.__.some(function(n) {
    n.__N && (n.__ = n.__N), n.u = n.__N = void 0;
  })) : (e.__h.some(q), e.__h.some(_e), e.__h = [], H = 0)), oe = g;
}, w.diffed = function(t) {
  Se && Se(t);
  var e = t.__c;
  e && e.__H && (e.__H.__h.length && (Be.push(e) !== 1 && be === w.requestAnimationFrame || ((be = w.requestAnimationFrame) || vt)(mt)), e.__H.__.some(function(n) {
    n.u && (n.__H = n.u, n.u = void 0);
  })), oe = g = null;
}, w.__c = function(t, e) {
  e.some(function(n) {
    try {
      n.__h.some(q), n.__h = n.__h.filter(function(r) {
        return !r.__ || _e(r);
      });
    } catch (r) {
      e.some(function(s) {
        s.__h && (s.__h = []);
      }), e = [], w.__e(r, n.__v);
    }
  }), xe && xe(t, e);
}, w.unmount = function(t) {
  Ce && Ce(t);
  var e, n = t.__c;
  n && n.__H && (n.__H.__.some(function(r) {
    try {
      q(r);
    } catch (s) {
      e = s;
    }
  }), n.__H = void 0, e && w.__e(e, n.__v));
};
var Ae = typeof requestAnimationFrame == "function";
function vt(t) {
  var e, n = function() {
    clearTimeout(r), Ae && cancelAnimationFrame(e), setTimeout(t);
  }, r = setTimeout(n, 35);
  Ae && (e = requestAnimationFrame(n));
}
function q(t) {
  var e = g, n = t.__c;
  typeof n == "function" && (t.__c = void 0, n()), g = e;
}
function _e(t) {
  var e = g;
  t.__c = t.__(), g = e;
}
function Ve(t, e) {
  return !t || t.length !== e.length || e.some(function(n, r) {
    return n !== t[r];
  });
}
function Ke(t, e) {
  return typeof e == "function" ? e(t) : e;
}
class E extends Error {
  constructor(e) {
    super(e.message), this.failure = e;
  }
}
const yt = 100;
class gt {
  constructor(e, n) {
    this.host = e, this.table = n;
  }
  kept = /* @__PURE__ */ new Map();
  known(e) {
    return this.kept.get(JSON.stringify(e));
  }
  async ask(e, n) {
    const r = JSON.stringify(e);
    if (this.kept.has(r)) return this.kept.get(r);
    const s = await this.host.ask(this.table, e, n);
    return this.kept.set(r, s), this.kept.size > yt && this.kept.delete(this.kept.keys().next().value), s;
  }
}
const Qe = de(null), bt = () => ze(Qe);
function Ge(t, e = {}) {
  const n = bt(), r = t === null ? null : JSON.stringify(t), [s, o] = P(0), [l, a] = P(null), [c, _] = P(null), [f, p] = P(null), i = qe(null);
  Z(() => {
    if (r === null) return;
    const y = n.known(JSON.parse(r));
    if (p(null), _(null), y !== void 0) {
      a({ key: r, answer: y });
      return;
    }
    const d = new AbortController();
    i.current = d;
    const S = setTimeout(() => {
      n.ask(JSON.parse(r), {
        signal: d.signal,
        onProgress: (x, C) => p(C ? x / C : null)
      }).then((x) => !d.signal.aborted && a({ key: r, answer: x })).catch((x) => {
        i.current === d && _({ key: r, failure: Xe(x) });
      });
    }, e.delay ?? 0);
    return () => {
      clearTimeout(S), i.current = null, d.abort();
    };
  }, [n, r, s]);
  const h = Ne(() => i.current?.abort(), []), v = Ne(() => o((y) => y + 1), []), k = c !== null && c.key === r ? c.failure : null, b = l !== null && l.key === r;
  return {
    answer: l?.answer ?? null,
    stale: l !== null && !b,
    busy: r !== null && !b && k === null,
    progress: f,
    error: k,
    cancel: h,
    retry: v
  };
}
function Xe(t) {
  return t instanceof E ? t.failure : t instanceof DOMException && t.name === "AbortError" ? { kind: "cancelled", message: "Cancelled." } : { kind: "crash", message: t instanceof Error ? t.message : String(t) };
}
function wt(t) {
  return /* @__PURE__ */ u("p", { children: "Not here yet." });
}
function kt(t) {
  return /* @__PURE__ */ u("p", { children: "Not here yet." });
}
function St({ label: t, series: e }) {
  const n = (r, s) => Array.from(r, (o, l) => `${o * 100},${100 - s[l] * 100}`).join(" ");
  return /* @__PURE__ */ u("svg", { viewBox: "0 0 100 100", role: "img", "aria-label": t, class: "chart", children: e.map((r) => /* @__PURE__ */ u("polyline", { points: n(r.x, r.y), fill: "none", stroke: "currentColor", "stroke-width": "0.5" }, r.id)) });
}
function xt(t) {
  const e = t.where.trim();
  return { ...t, where: e || null };
}
function Ct(t) {
  const { hull: e, y2: n, ...r } = t;
  return r;
}
function $t(t, e) {
  return {
    kind: "curve",
    data: xt(t.data),
    curve: Ct(t.curve),
    hull: t.curve.hull,
    width: e
  };
}
const Nt = {
  preset: "roc",
  x: null,
  y: null,
  y2: null,
  sort_by: null,
  direction: null,
  merge: null,
  average: null,
  points: null,
  thresholds: null,
  span: null,
  band: "none",
  multiclass: null,
  x_title: null,
  y_title: null,
  params: {},
  hull: !1
}, At = { models: null, folds: null, where: "", weighted: !0, target: null }, Pt = {}, Ot = {}, Tt = {}, Dt = {}, Ut = {
  optimum: null,
  subject_to: "",
  between: null,
  difference: null,
  subgroups: null,
  iso_cost: null,
  pinned: !1
}, Ye = ["curves", "calibration", "models", "matrix", "board"], O = {
  table: null,
  room: "curves",
  threshold: null,
  data: At,
  curve: Nt,
  reading: Ut,
  calibration: Pt,
  models: Ot,
  matrix: Tt,
  board: Dt
};
class Ze {
  state;
  past = [];
  future = [];
  merging = null;
  listeners = /* @__PURE__ */ new Set();
  constructor(e = O) {
    this.state = e;
  }
  // Changes follow each other under one `merge` name make one step of undo: a slider being dragged.
  change(e, n = null) {
    (n === null || n !== this.merging) && (this.past = [...this.past.slice(-200), this.state]), this.merging = n, this.future = [], this.set({ ...this.state, ...e });
  }
  // Change some fields of one room's part.
  edit(e, n, r = null) {
    this.change({ [e]: { ...this.state[e], ...n } }, r);
  }
  // Take over a state from elsewhere (a URL, a board) without a step of undo.
  replace(e) {
    this.merging = null, this.set(e);
  }
  get canUndo() {
    return this.past.length > 0;
  }
  get canRedo() {
    return this.future.length > 0;
  }
  undo() {
    const e = this.past.pop();
    e && (this.future.push(this.state), this.merging = null, this.set(e));
  }
  redo() {
    const e = this.future.pop();
    e && (this.past.push(this.state), this.merging = null, this.set(e));
  }
  subscribe(e) {
    return this.listeners.add(e), () => this.listeners.delete(e);
  }
  set(e) {
    this.state = e;
    for (const n of [...this.listeners]) n();
  }
}
const et = de(new Ze()), te = () => ze(et);
function Q(t) {
  const e = te(), [n, r] = P(() => t(e.state)), s = qe(t);
  return s.current = t, Z(() => {
    const o = () => r(() => s.current(e.state));
    return o(), e.subscribe(o);
  }, [e]), n;
}
function tt({ failure: t, retry: e }) {
  return t.kind === "cancelled" ? /* @__PURE__ */ u(Et, { children: [
    "Cancelled. ",
    e && /* @__PURE__ */ u("button", { onClick: e, children: "Compute again" })
  ] }) : /* @__PURE__ */ u("div", { class: "notice", role: "alert", children: [
    /* @__PURE__ */ u("p", { children: t.message }),
    t.formula !== void 0 && t.start !== void 0 && /* @__PURE__ */ u("pre", { children: `${t.formula}
${" ".repeat(t.start)}${"^".repeat(Math.max(1, (t.end ?? 0) - t.start))}` }),
    e && /* @__PURE__ */ u("button", { onClick: e, children: "Try again" })
  ] });
}
const Et = ({ children: t }) => /* @__PURE__ */ u("p", { class: "hint", children: t });
function Ht({ what: t, progress: e, cancel: n }) {
  const [r, s] = P(!1);
  return Z(() => {
    const o = setTimeout(() => s(!0), 300);
    return () => clearTimeout(o);
  }, []), r ? /* @__PURE__ */ u("div", { class: "waiting", role: "status", children: [
    /* @__PURE__ */ u("span", { children: [
      t,
      " …"
    ] }),
    /* @__PURE__ */ u("progress", { "aria-label": t, ...e == null ? {} : { value: e, max: 1 } }),
    n && /* @__PURE__ */ u("button", { onClick: n, children: "Cancel" })
  ] }) : null;
}
function nt({ of: t, what: e, children: n }) {
  return /* @__PURE__ */ u("div", { class: t.stale ? "answer stale" : "answer", "aria-busy": t.busy, children: [
    t.busy && /* @__PURE__ */ u(Ht, { what: e, progress: t.progress, cancel: t.cancel }),
    t.error && /* @__PURE__ */ u(tt, { failure: t.error, retry: t.retry }),
    t.answer !== null && !t.error && n(t.answer)
  ] });
}
function Mt(t) {
  const e = Q((s) => s.data), n = Q((s) => s.curve), r = Ge($t({ data: e, curve: n }, 800));
  return /* @__PURE__ */ u(nt, { of: r, what: "Drawing the curve", children: (s) => /* @__PURE__ */ u("figure", { children: [
    /* @__PURE__ */ u("figcaption", { children: s.title }),
    /* @__PURE__ */ u(
      St,
      {
        label: s.title,
        x: { title: s.x_title },
        y: { title: s.y_title },
        series: s.lines.map((o, l) => ({ id: o.name, name: o.name, color: l, x: o.x, y: o.y, threshold: o.threshold }))
      }
    )
  ] }) });
}
class Rt {
  constructor(e) {
    this.store = e, this.threshold = e.state.threshold, e.subscribe(() => this.show(e.state.threshold));
  }
  threshold;
  listeners = /* @__PURE__ */ new Set();
  move(e, n) {
    this.show(e), n && e !== this.store.state.threshold && this.store.change({ threshold: e }, "threshold");
  }
  subscribe(e) {
    return this.listeners.add(e), () => this.listeners.delete(e);
  }
  show(e) {
    if (e !== this.threshold) {
      this.threshold = e;
      for (const n of [...this.listeners]) n();
    }
  }
}
const jt = de(null);
function Ft({ about: t }) {
  return /* @__PURE__ */ u("aside", { "aria-label": "Data", children: [
    t.n,
    " rows"
  ] });
}
function Lt(t) {
  return /* @__PURE__ */ u("p", { children: "Not here yet." });
}
function Wt(t) {
  return /* @__PURE__ */ u("p", { children: "Not here yet." });
}
function Jt({ host: t }) {
  const e = te(), n = async (r) => {
    r && e.replace({ ...e.state, table: await t.upload(r) });
  };
  return /* @__PURE__ */ u("main", { class: "start", children: [
    /* @__PURE__ */ u("h1", { children: "Plumbline" }),
    /* @__PURE__ */ u("label", { children: [
      "A table of predictions: ",
      /* @__PURE__ */ u("input", { type: "file", onChange: (r) => n(r.currentTarget.files?.[0]) })
    ] })
  ] });
}
const It = {
  curves: "Curves",
  calibration: "Calibration",
  models: "Models",
  matrix: "Confusion matrix",
  board: "Board"
}, Bt = {
  curves: Mt,
  calibration: wt,
  models: Wt,
  matrix: Lt,
  board: kt
};
function qt({ host: t, store: e }) {
  const n = ee(() => new Rt(e), [e]);
  return /* @__PURE__ */ u(et.Provider, { value: e, children: /* @__PURE__ */ u(jt.Provider, { value: n, children: /* @__PURE__ */ u(zt, { host: t }) }) });
}
function zt({ host: t }) {
  const e = te(), n = Q((o) => o.table), [r, s] = P(null);
  return Z(() => {
    e.state.table === null && t.start().then(
      (o) => o.served && e.replace({ ...e.state, table: o.served }),
      (o) => s(Xe(o))
    );
  }, [t, e]), r ? /* @__PURE__ */ u(tt, { failure: r }) : n === null ? /* @__PURE__ */ u(Jt, { host: t }) : /* @__PURE__ */ u(Vt, { host: t, table: n }, n);
}
function Vt({ host: t, table: e }) {
  const n = ee(() => new gt(t, e), [t, e]);
  return /* @__PURE__ */ u(Qe.Provider, { value: n, children: /* @__PURE__ */ u(Kt, {}) });
}
function Kt() {
  const t = Ge({ kind: "about" });
  return /* @__PURE__ */ u(nt, { of: t, what: "Reading the table", children: (e) => /* @__PURE__ */ u(Qt, { about: e }) });
}
function Qt({ about: t }) {
  const e = te(), n = Q((s) => s.room), r = Bt[n];
  return /* @__PURE__ */ u(F, { children: [
    /* @__PURE__ */ u("header", { class: "top", children: [
      /* @__PURE__ */ u("strong", { class: "brand", children: "Plumbline" }),
      /* @__PURE__ */ u("span", { class: "file", children: t.name }),
      /* @__PURE__ */ u("nav", { "aria-label": "Rooms", children: Ye.map((s) => /* @__PURE__ */ u("button", { "aria-current": n === s ? "page" : void 0, onClick: () => e.change({ room: s }), children: It[s] }, s)) })
    ] }),
    /* @__PURE__ */ u("div", { class: "columns", children: [
      /* @__PURE__ */ u(Ft, { about: t }),
      /* @__PURE__ */ u("main", { children: /* @__PURE__ */ u(r, { about: t }) })
    ] })
  ] });
}
function Gt(t) {
  const e = new DataView(t).getUint32(0, !0), n = JSON.parse(new TextDecoder().decode(new Uint8Array(t, 4, e))), r = 4 + e, s = n.arrays.map(
    ([o, l, a]) => o === "u1" ? new Uint8Array(t, r + l, a) : new Float64Array(t, r + l, a)
  );
  return ae(n.answer, s);
}
function ae(t, e) {
  if (Array.isArray(t)) return t.map((r) => ae(r, e));
  if (t === null || typeof t != "object") return t;
  const n = t;
  return "$array" in n ? e[n.$array] : Object.fromEntries(Object.entries(n).map(([r, s]) => [r, ae(s, e)]));
}
const rt = {
  kind: "offline",
  message: "The server does not answer. Is `plumbline serve` still running?"
}, Xt = {
  notebook: !1,
  start: async () => await U("api/start"),
  upload: async (t, e) => {
    const n = new URLSearchParams({ name: t.name });
    return (await U(`api/tables?${n}`, { method: "POST", body: t, ...ot(e) })).table;
  },
  columns: async (t) => await U(`api/tables/${t}/columns`),
  open: async (t, e) => {
    await U(`api/tables/${t}/open`, { method: "POST", body: JSON.stringify(e) });
  },
  example: async (t) => (await U(`api/examples/${encodeURIComponent(t)}`, { method: "POST" })).table,
  ask: async (t, e, n) => Yt(t, e, n),
  close: async (t) => {
    await U(`api/tables/${t}`, { method: "DELETE", keepalive: !0 });
  }
}, ot = (t) => t?.signal ? { signal: t.signal } : {};
async function st(t, e) {
  try {
    return await fetch(t, e);
  } catch (n) {
    throw n instanceof DOMException && n.name === "AbortError" ? n : new E(rt);
  }
}
async function U(t, e) {
  const r = await (await st(t, e)).json();
  if (r.error) throw new E(r.error);
  return r;
}
async function Yt(t, e, n) {
  const r = await st(`api/tables/${t}/ask`, {
    method: "POST",
    body: JSON.stringify(e),
    headers: { "Content-Type": "application/json" },
    ...ot(n)
  });
  if (!r.ok) throw new E((await r.json()).error);
  const s = r.body.getReader();
  let o = new Uint8Array(0);
  for (; ; ) {
    const { done: l, value: a } = await s.read();
    if (l) throw new E(rt);
    o = Zt(o, a);
    for (let c = Pe(o); c !== null && o.length >= c; c = Pe(o)) {
      const _ = String.fromCharCode(o[0]), f = o.slice(5, c);
      if (o = o.slice(c), _ === "A") return Gt(f.buffer);
      const p = JSON.parse(new TextDecoder().decode(f));
      if (_ === "E") throw new E(p);
      n?.onProgress?.(p.done, p.total);
    }
  }
}
const Pe = (t) => t.length < 5 ? null : 5 + new DataView(t.buffer, t.byteOffset).getUint32(1, !0);
function Zt(t, e) {
  const n = new Uint8Array(t.length + e.length);
  return n.set(t), n.set(e, t.length), n;
}
const it = ["data", "curve", "reading", "calibration", "models", "matrix", "board"];
function en(t) {
  const e = new URLSearchParams();
  t.table && e.set("table", t.table), t.room !== O.room && e.set("room", t.room), t.threshold !== null && e.set("threshold", String(t.threshold));
  for (const r of it) {
    const s = tn(t[r], O[r]);
    Object.keys(s).length && e.set(r, JSON.stringify(s));
  }
  const n = e.toString();
  return n ? `#${n}` : "";
}
function Oe(t) {
  const e = new URLSearchParams(t.replace(/^#/, "")), n = e.get("room"), r = e.has("threshold") ? Number(e.get("threshold")) : NaN, s = {
    ...O,
    table: e.get("table"),
    room: n && Ye.includes(n) ? n : O.room,
    threshold: Number.isNaN(r) ? null : r
  };
  for (const o of it) {
    const l = nn(e.get(o)), a = Object.entries(l).filter(([c, _]) => rn(_, O[o][c]));
    Object.assign(s, { [o]: { ...O[o], ...Object.fromEntries(a) } });
  }
  return s;
}
function tn(t, e) {
  const n = Object.entries(t).filter(([r, s]) => JSON.stringify(s) !== JSON.stringify(e[r]));
  return Object.fromEntries(n);
}
function nn(t) {
  try {
    const e = JSON.parse(t ?? "{}");
    return e !== null && typeof e == "object" && !Array.isArray(e) ? e : {};
  } catch {
    return {};
  }
}
function rn(t, e) {
  return e === void 0 ? !1 : e === null || t === null || typeof t == typeof e && Array.isArray(t) === Array.isArray(e);
}
function on(t, e, n) {
  return ge(/* @__PURE__ */ u(qt, { host: e, store: n }), t), () => ge(null, t);
}
const Te = document.getElementById("workbench");
if (Te) {
  const t = new Ze(Oe(location.hash));
  t.subscribe(() => history.replaceState(null, "", en(t.state) || location.pathname)), window.addEventListener("hashchange", () => t.replace(Oe(location.hash))), on(Te, Xt, t);
}
export {
  on as mount
};

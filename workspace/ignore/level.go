package ignore

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// A level is the rules that hold for the names in one folder. Folders without rules of their own share that of
// their parent, so a level costs nothing where nothing is said.
//
// The four chains are asked in the order of the fields; within a chain the nearest list comes first. The git chain
// ends in the repository's info/exclude and the user's exclude file, and begins anew at each repository.
type level struct {
	extra, rg, ig, git *list
	repo               *repo
	gitOn              bool   // .gitignore files hold here
	hash               uint64 // of all of the above but the git index
}

// rules makes levels. It is shared by the goroutines of one scan.
type rules struct {
	root   string // absolute, without links
	prefix string // the root's part of a full path: no slash in front, one at the end
	fd     int    // the root, open
	opts   Options
	reach  []pattern // include patterns that lead into excluded folders

	prevRepos map[string]ident
	prevTaken int64

	mu    sync.Mutex // guards repos
	repos []*repo    // one a work tree that was met
}

func newRules(root string, opts Options, prev *Listing) (*rules, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, err
	}
	if opts.Env == nil {
		opts.Env = os.LookupEnv
	}
	fd, err := open(atCwd, abs, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: abs, Err: err}
	}
	r := &rules{root: abs, fd: fd, opts: opts}
	if abs != "/" {
		r.prefix = abs[1:] + "/"
	}
	if prev != nil {
		r.prevTaken = prev.Taken.UnixNano()
		r.prevRepos = make(map[string]ident, len(prev.repos))
		for _, p := range prev.repos {
			r.prevRepos[p.gitDir] = p.index
		}
	}
	return r, nil
}

func (r *rules) close() { unix.Close(r.fd) }

// A place is a folder whose rule files are to be read.
type place struct {
	fd   int
	path string // relative to fd, or absolute
	abs  string
	off  int // where, in a full path, a path relative to the folder begins
}

func (p place) join(name string) string {
	if p.path == "" {
		return name
	}
	return p.path + "/" + name
}

// inside is the place of a folder of the tree; path is empty for the root.
func (r *rules) inside(path string) place {
	p := place{r.fd, path, r.root, len(r.prefix)}
	if path != "" {
		p.abs += "/" + path
		p.off += len(path) + 1
	}
	return p
}

// base is the level above the root: the caller's patterns and what the folders above the root say.
func (r *rules) base() *level {
	lv := &level{gitOn: r.opts.NoRequireGit}
	lv.hash = mix(lv.hash, "root", []byte(r.root))
	flags := []byte{0, 0, 0, 0, 0}
	for i, on := range []bool{r.opts.Hidden, r.opts.IncludeIgnored, r.opts.NoGit, r.opts.NoDotIgnore, r.opts.NoRequireGit} {
		if on {
			flags[i] = 1
		}
	}
	lv.hash = mix(lv.hash, "options", flags)
	r.addExtra(lv)
	if r.root == "/" {
		return lv
	}
	for at := 0; ; {
		dir := "/" + r.prefix[:max(at-1, 0)]
		if dir == r.root {
			return lv
		}
		p := place{atCwd, dir, dir, at}
		lv, _ = r.enter(lv, p, namesIn(dir), false, true)
		at += strings.IndexByte(r.prefix[at:], '/') + 1
	}
}

// namesIn finds which rule files a folder above the root has.
func namesIn(dir string) marks {
	var m marks
	for name, bit := range ruleNames {
		if _, err := os.Lstat(dir + "/" + name); err == nil {
			m |= bit
		}
	}
	return m
}

var ruleNames = map[string]marks{
	".gitignore": hasGitignore, ".ignore": hasIgnore, ".rgignore": hasRgignore, ".git": hasGit, ".jj": hasJJ,
}

// enter returns the level of a folder, given that of its parent and the names in it that matter. linked says that
// the folder is a linked work tree, to be left alone; top marks folders for which that is no reason.
func (r *rules) enter(up *level, p place, m marks, excluded, top bool) (lv *level, linked bool) {
	if m&namesOfRules == 0 {
		return up, false
	}
	n := *up
	if m&(hasGit|hasJJ) != 0 {
		g := findGit(p.abs)
		if g.kind == linkedWorkTree && !top {
			return up, true
		}
		// Below an excluded folder a repository changes nothing: all of it is out.
		own := g.kind == ownRepo || g.kind == linkedWorkTree
		if !excluded && (own || g.kind == brokenGit && !n.gitOn) {
			r.startRepo(&n, p, g)
		}
	}
	if m&hasGitignore != 0 && n.gitOn && !excluded && !r.opts.NoGit {
		n.git = r.read(&n, n.git, p, ".gitignore", LayerGitignore)
	}
	if m&hasIgnore != 0 && !r.opts.NoDotIgnore {
		n.ig = r.read(&n, n.ig, p, ".ignore", LayerIgnore)
	}
	if m&hasRgignore != 0 && !r.opts.NoDotIgnore {
		n.rg = r.read(&n, n.rg, p, ".rgignore", LayerRgignore)
	}
	return &n, false
}

// read puts an ignore file of the folder p in front of a chain. Like git, it does not follow a .gitignore that is
// a link; ripgrep does so for its own files.
func (r *rules) read(lv *level, chain *list, p place, name string, layer Layer) *list {
	data, err := readFile(p.fd, p.join(name), layer != LayerGitignore)
	if err != nil {
		return chain
	}
	return lv.push(chain, data, layer, r.shown(p, name), p.off)
}

// shown is how Explain names a rule file: relative to the root if it lies below it.
func (r *rules) shown(p place, name string) string {
	if p.fd == r.fd {
		return p.join(name)
	}
	return p.abs + "/" + name
}

func (lv *level) push(chain *list, data []byte, layer Layer, source string, off int) *list {
	// The same text means something else in another folder on the same path.
	lv.hash = mix(lv.hash, string(layer)+source+"\x00"+strconv.Itoa(off), data)
	fold := lv.repo != nil && lv.repo.fold && layer.git()
	return &list{up: chain, off: off, layer: layer, source: source, fold: fold, data: data}
}

// startRepo lets the git chain begin anew at the folder p.
func (r *rules) startRepo(lv *level, p place, g gitPlace) {
	lv.git, lv.gitOn = nil, true
	lv.hash = mix(lv.hash, "repo"+strconv.Itoa(p.off), []byte(g.gitDir))
	rp := &repo{off: p.off, gitDir: g.gitDir}
	lv.repo = rp
	if r.opts.NoGit {
		return
	}
	conf := readConfig(r.opts.Env, g.gitDir, g.commonDir)
	rp.fold, rp.sha256 = conf.fold, conf.sha256
	if conf.fold {
		lv.hash = mix(lv.hash, "fold", nil)
	}
	if path := conf.excludesPath(r.opts.Env, p.abs); path != "" {
		if data, err := readFile(atCwd, path, true); err == nil {
			lv.git = lv.push(lv.git, data, LayerGitGlobal, path, p.off)
		}
	}
	if g.gitDir == "" {
		return
	}
	exclude := g.commonDir + "/info/exclude"
	if data, err := readFile(atCwd, exclude, true); err == nil {
		lv.git = lv.push(lv.git, data, LayerGitExclude, exclude, p.off)
	}
	lv.repo = r.register(rp)
}

// register returns the one repo of a work tree: a folder may be tried from the previous listing and then read.
func (r *rules) register(rp *repo) *repo {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, known := range r.repos {
		if known.gitDir == rp.gitDir && known.off == rp.off && known.fold == rp.fold {
			return known
		}
	}
	rp.index, _ = statFollow(rp.gitDir + "/index")
	before, known := r.prevRepos[rp.gitDir]
	newest := max(rp.index.MtimeNs, rp.index.CtimeNs)
	rp.changed = !known || before != rp.index || newest+int64(racySpan) >= r.prevTaken
	r.repos = append(r.repos, rp)
	return rp
}

// mix folds one more fact into a hash that is the same in every process.
func mix(h uint64, what string, data []byte) uint64 {
	f := fnv.New64a()
	var b [8]byte
	for i := range b {
		b[i] = byte(h >> (8 * i))
	}
	f.Write(b[:])
	f.Write([]byte(what))
	f.Write([]byte{0})
	f.Write(data)
	return f.Sum64()
}
